// What the HTTP server does when there is too much: requests, clients, bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "server/http_fixture.h"

namespace hinny {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::StartsWith;

TEST(HttpServer, TooMuchIsRefusedAtOnceAndAfterwardsAllIsWell) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.waiting = 2;
  Gate gate;
  RunningServer server(limits, metrics,
                       [&](const HttpRequest& request) { return gate.answer(request); });
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
  EXPECT_EQ(server.client().get("/").status, 200);
  EXPECT_THAT(metrics.text(), HasSubstr("hinny_refused_total{status=\"503\"} 2\n"));
}

TEST(HttpServer, HealthIsAskedPastAFullQueue) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.waiting = 1;
  Gate gate;
  RunningServer server(limits, metrics,
                       [&](const HttpRequest& request) { return gate.answer(request); });
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
    const auto result = client.get("/" + std::to_string(i));
    EXPECT_EQ(result.status, 200);
    slow[static_cast<std::size_t>(i)]->send("x");  // a byte now and then buys no more time
  }
  for (const auto& one : slow) EXPECT_THAT(one->rest(), StartsWith("HTTP/1.1 408"));
}

TEST(HttpServer, EmptyLinesBuyNoTime) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.head_time = 300ms;
  RunningServer server(limits, metrics, echo);
  const RawClient client(server.port());
  const auto connected = [&](int count) {
    for (int i = 0; i < 500 && metrics.connections != count; ++i) {
      client.send("\r\n");
      std::this_thread::sleep_for(20ms);
    }
    return metrics.connections == count;
  };
  EXPECT_TRUE(connected(1));
  EXPECT_TRUE(connected(0));
  EXPECT_EQ(client.rest(), "");  // it asked nothing, and is told nothing
}

TEST(HttpServer, TooManyEmptyLinesAreToldToBeNoRequest) {
  Metrics metrics;
  const HttpLimits limits = few();
  RunningServer server(limits, metrics, echo);
  const RawClient client(server.port());
  std::string lines;
  while (lines.size() <= limits.head_bytes) lines += "\r\n";
  client.send(lines);
  const std::string answer = client.rest();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(answer, HasSubstr("not an HTTP request"));
}

TEST(HttpServer, WhoHasWaitedLongestMakesRoom) {
  Metrics metrics;
  HttpLimits limits = few();
  limits.connections = 10;
  RunningServer server(limits, metrics, echo);
  std::vector<std::unique_ptr<RawClient>> idle;
  for (int i = 0; i < 30; ++i) {
    idle.push_back(std::make_unique<RawClient>(server.port()));
    EXPECT_EQ(server.client().get("/").status, 200);
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
  probe.until("GET /");  // so that the first is under way
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
  RunningServer server(limits, metrics, [](const HttpRequest&) {
    return respond(
        std::string(60'000'000, 'x'));  // more than sockets take for a client not reading
  });
  const RawClient first(server.port());
  first.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(first.until("\r\n"), StartsWith("HTTP/1.1 200"));
  const RawClient second(server.port());
  second.send("GET / HTTP/1.1\r\n\r\n");
  EXPECT_THAT(second.until("\r\n"), StartsWith("HTTP/1.1 503"));
}

}  // namespace
}  // namespace hinny
