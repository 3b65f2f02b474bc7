#include "server/http_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <set>

#include "base/error.h"
#include "server/listener.h"
#include "server/server_fixture.h"

namespace {

std::atomic<int> refused_additions = 0;       // so many new descriptors will not be watched
std::array<std::atomic<bool>, 1024> watched;  // descriptors that are no new ones

}  // namespace

// In front of the C library's: a system that has no room for one more watched descriptor.
extern "C" int epoll_ctl(int poll, int operation, int descriptor, epoll_event* event) noexcept {
  const auto place = static_cast<std::size_t>(descriptor) % watched.size();
  if (operation == EPOLL_CTL_ADD && refused_additions > 0 && !watched[place]) {
    --refused_additions;
    errno = ENOSPC;
    return -1;
  }
  if (operation == EPOLL_CTL_ADD) watched[place] = true;
  return static_cast<int>(::syscall(SYS_epoll_ctl, poll, operation, descriptor, event));
}

namespace hinny {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

// A client that sends whatever bytes it likes.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(socket_.get(), reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
  }
  void send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return;  // the server has heard enough
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
  }
  // Everything until the server closes.
  std::string rest() const {
    std::string all;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = ::recv(socket_.get(), buffer, sizeof buffer, 0)) > 0) {
      all.append(buffer, static_cast<std::size_t>(count));
    }
    return all;
  }
  // Until `mark` came.
  std::string until(std::string_view mark) const {
    std::string all;
    char byte = 0;
    while (!all.ends_with(mark) && ::recv(socket_.get(), &byte, 1, 0) == 1) all += byte;
    return all;
  }

 private:
  Descriptor socket_;
};

RawResponse respond(std::string_view body, bool close = false) {
  return {"HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
              std::string(body),
          close};
}

HttpLimits few() {
  HttpLimits limits;
  limits.workers = 1;
  return limits;
}

// Answers with the request's body, or its first line.
RawResponse echo(const RawRequest& request) {
  return respond(
      request.body.empty() ? request.head.substr(0, request.head.find('\r')) : request.body,
      request.last);
}

// Workers wait in it until the test lets them go.
class Gate {
 public:
  RawResponse answer(const RawRequest& request) {
    std::unique_lock guard(lock_);
    ++inside_;
    changed_.notify_all();
    changed_.wait(guard, [this] { return open_; });
    return echo(request);
  }
  void wait_for(int inside) {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [&] { return inside_ >= inside; });
  }
  void open() {
    const std::lock_guard guard(lock_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  int inside_ = 0;
  bool open_ = false;
};

TEST(HttpServer, ReadsRequestsHoweverTheirBytesCome) {
  Metrics metrics;
  RunningServer server(few(), metrics, echo);
  const std::string request = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello";
  const RawClient slow(server.port());
  for (const char byte : request) slow.send({&byte, 1});
  EXPECT_THAT(slow.until("hello"), StartsWith("HTTP/1.1 200"));
  std::string many;  // all at once, on the same connection
  for (int i = 0; i < 100; ++i) many += request;
  slow.send(many + "GET /last HTTP/1.1\r\n\r\n");
  const std::string answers = slow.until("GET /last HTTP/1.1");
  EXPECT_THAT(answers, HasSubstr("hello"));
  EXPECT_EQ(answers.size() / 100,
            std::string("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello").size());
}

// One client that cannot be watched is sent away; the others never hear of it.
TEST(HttpServer, AClientThatCannotBeWatchedLeavesTheOthersAlone) {
  for (auto& descriptor : watched) descriptor = false;
  Metrics metrics;
  RunningServer server(few(), metrics, echo);
  const std::string request = "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello";
  const RawClient before(server.port());
  before.send(request);
  before.until("hello");
  refused_additions = 1;
  const RawClient unlucky(server.port());
  EXPECT_EQ(unlucky.rest(), "");
  before.send(request);
  EXPECT_THAT(before.until("hello"), StartsWith("HTTP/1.1 200"));
  const RawClient after(server.port());
  after.send(request);
  EXPECT_THAT(after.until("hello"), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(metrics.text(), HasSubstr("503"));
}

TEST(HttpServer, WhatIsNoUsableRequestIsRefusedWithItsStatus) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.body_bytes = 1000;
  RunningServer server(limits, metrics, echo);
  const auto answer_to = [&](const std::string& bytes) {
    const RawClient client(server.port());
    client.send(bytes);
    return client.rest();
  };
  EXPECT_THAT(answer_to("GET / HTTP/1.1\r\nA: " + std::string(20000, 'x')),
              StartsWith("HTTP/1.1 431"));
  EXPECT_THAT(answer_to("GET / HTTP/1.1\r\nA: " + std::string(20000, 'x') + "\r\n\r\n"),
              StartsWith("HTTP/1.1 431"));
  EXPECT_THAT(answer_to(std::string(100000, '\0')), StartsWith("HTTP/1.1 431"));
  const auto with = [](const std::string& header) {
    return "POST / HTTP/1.1\r\n" + header + "\r\n\r\n";
  };
  EXPECT_THAT(answer_to(with("Content-Length: 1001") + std::string(100000, 'x')),
              StartsWith("HTTP/1.1 413"));
  EXPECT_THAT(answer_to(with("content-length: 99999999999999999999999")),
              StartsWith("HTTP/1.1 413"));
  for (const char* length : {"-1", "5x", "", "0x5", "1\r\nContent-Length: 1"}) {
    EXPECT_THAT(answer_to(with(std::string("Content-Length: ") + length)),
                StartsWith("HTTP/1.1 400"));
  }
  EXPECT_THAT(answer_to(with("Transfer-Encoding: chunked")), StartsWith("HTTP/1.1 411"));
  EXPECT_THAT(answer_to(with("Content-Encoding: gzip")), StartsWith("HTTP/1.1 415"));
}

TEST(HttpServer, SaysToGoOnToWhoAsks) {
  Metrics metrics;
  RunningServer server(few(), metrics, echo);
  const RawClient client(server.port());
  client.send("POST / HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("hello");
  EXPECT_THAT(client.until("hello"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServer, TooMuchIsRefusedAtOnceAndAfterwardsAllIsWell) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.waiting = 2;
  Gate gate;
  RunningServer server(limits, metrics,
                       [&](const RawRequest& request) { return gate.answer(request); });
  const std::string request = "GET / HTTP/1.1\r\n\r\n";
  std::vector<std::unique_ptr<RawClient>> clients;
  const auto ask = [&] {
    clients.push_back(std::make_unique<RawClient>(server.port()));
    clients.back()->send(request);
  };
  ask();
  gate.wait_for(1);
  ask();
  ask();
  ask();
  std::string refusal;
  const RawClient last(server.port());
  last.send(request);
  refusal = last.until("\r\n\r\n");
  EXPECT_THAT(refusal, StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(refusal, HasSubstr("Retry-After: 1"));
  EXPECT_THAT(refusal, testing::Not(HasSubstr("Connection: close")));
  gate.open();
  int answered = 0;
  for (const auto& client : clients) {
    const std::string line = client->until("\r\n");
    answered += line == "HTTP/1.1 200 OK\r\n" ? 1 : 0;
  }
  EXPECT_EQ(answered, 3);
  clients.clear();
  EXPECT_EQ(server.client().Get("/")->status, 200);
  EXPECT_THAT(metrics.text(), HasSubstr("hinny_refused_total{status=\"503\"} 2\n"));
}

TEST(HttpServer, HealthIsAskedPastAFullQueue) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.waiting = 1;
  Gate gate;
  RunningServer server(limits, metrics,
                       [&](const RawRequest& request) { return gate.answer(request); });
  const RawClient busy(server.port());
  busy.send("GET / HTTP/1.1\r\n\r\n");
  gate.wait_for(1);
  const RawClient waits(server.port());
  waits.send("GET / HTTP/1.1\r\n\r\n");
  const RawClient health(server.port());
  health.send("GET /health HTTP/1.1\r\n\r\n");
  const RawClient refused(server.port());
  refused.send("GET / HTTP/1.1\r\n\r\n");
  refused.until("\r\n\r\n");  // whatever it got, the three before it are in
  gate.open();
  EXPECT_THAT(health.until("\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServer, AThousandSlowClientsHoldUpNobodyAndAreSentAway) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.head_time = 1500ms;
  limits.body_time = 1500ms;
  RunningServer server(limits, metrics, echo);
  std::vector<std::unique_ptr<RawClient>> slow;
  for (int i = 0; i < 1000; ++i) {
    slow.push_back(std::make_unique<RawClient>(server.port()));
    slow.back()->send(i % 2 == 0 ? "G" : "POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nh");
  }
  auto client = server.client();
  for (int i = 0; i < 50; ++i) {
    const auto result = client.Get("/" + std::to_string(i));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->status, 200);
    slow[static_cast<std::size_t>(i)]->send("x");  // a byte now and then buys no more time
  }
  for (const auto& one : slow) EXPECT_THAT(one->rest(), StartsWith("HTTP/1.1 408"));
}

TEST(HttpServer, WhoHasWaitedLongestMakesRoom) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.connections = 10;
  RunningServer server(limits, metrics, echo);
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 30; ++i) {
    idle.push_back(std::make_unique<RawClient>(server.port()));
    EXPECT_EQ(server.client().Get("/")->status, 200);
  }
  EXPECT_LE(metrics.connections, 10);
}

TEST(HttpServer, BodiesThatDoNotFitIntoMemoryTogetherAreRefused) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.memory = 1500;
  RunningServer server(limits, metrics, echo);
  const std::string head = "POST / HTTP/1.1\r\nContent-Length: 1000\r\n\r\n";
  const RawClient first(server.port());
  first.send(head + "x");
  const RawClient probe(server.port());
  probe.send("GET / HTTP/1.1\r\n\r\n");
  probe.until("GET / HTTP/1.1");  // so that the first is under way
  {
    const RawClient second(server.port());
    second.send(head);
    EXPECT_THAT(second.rest(), StartsWith("HTTP/1.1 503"));
  }
  first.send(std::string(999, 'x'));
  EXPECT_THAT(first.until("\r\n"), StartsWith("HTTP/1.1 200"));
}

TEST(HttpServer, LargeAnswersThatDoNotFitIntoMemoryTogetherAreRefused) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.memory = 100'000'000;
  RunningServer server(limits, metrics, [](const RawRequest&) {
    std::string answer;
    answer.resize(60'000'000, 'x');  // more than sockets take for a client not reading
    return respond(answer);
  });
  const RawClient first(server.port());
  first.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(first.until("\r\n"), StartsWith("HTTP/1.1 200"));
  const RawClient second(server.port());
  second.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(second.until("\r\n"), StartsWith("HTTP/1.1 503"));
}

TEST(HttpServer, StoppingAnswersWhatIsUnderWayAndClosesTheRest) {
  Metrics metrics;
  Gate gate;
  RunningServer server(few(), metrics,
                       [&](const RawRequest& request) { return gate.answer(request); });
  const RawClient idle(server.port());
  const RawClient busy(server.port());
  busy.send("POST / HTTP/1.1\r\nContent-Length: 5\r\n\r\nhello");
  gate.wait_for(1);
  server.ask_to_stop();
  EXPECT_EQ(idle.rest(), "");  // closed: the server has begun to stop
  gate.open();
  EXPECT_THAT(busy.rest(), testing::EndsWith("hello"));
  server.stop();
}

TEST(HttpServer, ATakenPortAndAForeignHostAreErrors) {
  Metrics metrics;
  RunningServer server(few(), metrics, echo);
  EXPECT_THROW(HttpServer("127.0.0.1", server.port(), few(), metrics, echo), Failure);
  EXPECT_THROW(HttpServer("no such host", 0, few(), metrics, echo), InputError);
}

TEST(Listener, KnowsThisMachine) {
  for (const char* host : {"127.0.0.1", "127.8.9.10", "localhost", "::1"})
    EXPECT_TRUE(is_loopback(host));
  for (const char* host : {"0.0.0.0", "::", "192.168.0.1", "127.0.0.1.example", "", "1270.0.0.1"}) {
    EXPECT_FALSE(is_loopback(host)) << host;
  }
}

}  // namespace
}  // namespace hinny
