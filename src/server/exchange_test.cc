#include "server/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.h"
#include "index/asking/question.h"
#include "server/http_error.h"

namespace hinny {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// Answers with what `answer` does, for any request.
std::string response_to(const std::string& head, decltype(Route::answer) answer) {
  Metrics metrics;
  Exchange exchange([&](const httplib::Request&) { return Route{"test", answer}; }, metrics, false);
  return exchange.answer({head, "", "127.0.0.1", false}).bytes;
}

void fine(const httplib::Request&, httplib::Response& response) {
  response.set_content("fine", "text/plain");
}

TEST(Exchange, ErrorsBecomeStatusesAndFailuresKeepTheirSecrets) {
  const std::string head = "GET / HTTP/1.1\r\n\r\n";
  EXPECT_THAT(response_to(head, fine), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(response_to(head, [](auto&, auto&) { throw HttpError(409, "no"); }),
              StartsWith("HTTP/1.1 409"));
  EXPECT_THAT(response_to(head, [](auto&, auto&) { throw RequestError("no"); }),
              StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(response_to(head, [](auto&, auto&) { throw UnknownImage("x"); }),
              AllOf(StartsWith("HTTP/1.1 404"), HasSubstr("no image 'x'")));
  const std::string broken_file = response_to(
      head, [](auto&, auto&) { throw InputError("/secret/index.json", "is broken", "a file"); });
  EXPECT_THAT(broken_file, StartsWith("HTTP/1.1 500"));
  EXPECT_THAT(broken_file, Not(HasSubstr("secret")));
  const std::string failed =
      response_to(head, [](auto&, auto&) { throw Failure("cannot read /secret/path"); });
  EXPECT_THAT(failed, StartsWith("HTTP/1.1 500"));
  EXPECT_THAT(failed, Not(HasSubstr("secret")));
}

TEST(Exchange, WhatIsNoRequestIsRefusedInJson) {
  for (const std::string head :
       {"\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "G\0T / HTTP/1.1\r\n\r\n",
        " / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1 x\r\n\r\n"}) {
    EXPECT_THAT(response_to(head, fine), StartsWith("HTTP/1.1 400")) << head;
  }
  EXPECT_THAT(response_to("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\n\r\n", fine),
              StartsWith("HTTP/1.1 414"));
}

TEST(Exchange, AnyBytesGetSomeAnswer) {
  Random random(5);
  const std::string good =
      "POST /v1/search?q=a%20dog HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: 7\r\n\r\n";
  for (int i = 0; i < 3000; ++i) {
    std::string head = good;
    for (int flips = 0; flips < 4; ++flips) {
      head[random.below(head.size() - 4)] = static_cast<char>(random.below(256));
    }
    EXPECT_THAT(response_to(head, fine), StartsWith("HTTP/1.1 "));
  }
}

}  // namespace
}  // namespace hinny
