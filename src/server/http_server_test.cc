#include "server/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

#include "base/error.h"
#include "server/http_fixture.h"

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
  std::string answers = slow.until("GET /last");
  for (int i = 0; i < 100; ++i) {
    ASSERT_THAT(answers, StartsWith("HTTP/1.1 200"));
    answers.erase(0, answers.find("\r\n\r\nhello") + 9);
  }
  EXPECT_THAT(answers, testing::EndsWith("\r\n\r\nGET /last"));
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
  EXPECT_THAT(answer_to(std::string(100000, '\0')), StartsWith("HTTP/1.1 400"));
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

TEST(HttpServer, StoppingAnswersWhatIsUnderWayAndClosesTheRest) {
  Metrics metrics;
  Gate gate;
  RunningServer server(few(), metrics,
                       [&](const HttpRequest& request) { return gate.answer(request); });
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

}  // namespace
}  // namespace hinny
