#include "server/http_message.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hinny {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;
using testing::StartsWith;

HttpResponse hello() {
  HttpResponse response;
  response.set_content("hello", "text/plain");
  return response;
}

TEST(ResponseBytes, SayHowLongTheBodyIs) {
  EXPECT_THAT(
      response_bytes(hello(), false, {}),
      AllOf(StartsWith("HTTP/1.1 200 OK\r\n"), HasSubstr("\r\nContent-Type: text/plain\r\n"),
            HasSubstr("\r\nContent-Length: 5\r\n"), EndsWith("\r\n\r\nhello")));
  EXPECT_THAT(response_bytes(hello(), true, {}),
              AllOf(HasSubstr("\r\nContent-Length: 5\r\n"), EndsWith("\r\n\r\n")));
  EXPECT_THAT(response_bytes({}, false, {}), HasSubstr("\r\nContent-Length: 0\r\n"));
  for (const int status : {204, 304}) {
    HttpResponse response = hello();
    response.status = status;
    EXPECT_THAT(response_bytes(response, false, {}),
                AllOf(Not(HasSubstr("Content-Length")), EndsWith("\r\n\r\n")));
  }
}

TEST(ResponseBytes, SayWhatBecomesOfTheConnection) {
  EXPECT_THAT(response_bytes(hello(), false, {.close = true, .say_open = true, .idle_seconds = 15}),
              AllOf(HasSubstr("\r\nConnection: close\r\n"), Not(HasSubstr("eep-"))));
  EXPECT_THAT(response_bytes(hello(), false, {.idle_seconds = 15}),
              AllOf(HasSubstr("\r\nKeep-Alive: timeout=15\r\n"), Not(HasSubstr("Connection:"))));
  EXPECT_THAT(response_bytes(hello(), false, {.say_open = true}),
              HasSubstr("\r\nConnection: keep-alive\r\n"));
}

TEST(ResponseBytes, SayWhenTheyWereMade) {
  std::string bytes = response_bytes(hello(), false, {});
  bytes.erase(0, bytes.find("Date: "));
  EXPECT_THAT(bytes.substr(0, bytes.find('\r')),
              MatchesRegex("Date: (Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9][0-9] [A-Z][a-z][a-z] "
                           "[0-9]+ [0-9][0-9]:[0-9][0-9]:[0-9][0-9] GMT"));
}

TEST(HttpResponse, HasEachHeaderOnce) {
  HttpResponse response = hello();
  response.set_content("{}", "application/json");
  ASSERT_EQ(response.headers.size(), 1U);
  EXPECT_EQ(response.headers[0].second, "application/json");
}

}  // namespace
}  // namespace hinny
