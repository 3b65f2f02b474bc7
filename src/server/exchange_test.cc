#include "server/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "index/asking/question.h"
#include "server/http_error.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::Not;

// Answers with what `answer` does, for any request.
HttpResponse response_to(decltype(Route::answer) answer, HttpFields headers = {}) {
  Metrics metrics;
  const Exchange exchange(
      [&](const HttpRequest&) {
        return Route{"test", answer};
      },
      metrics, false);
  HttpRequest request;
  request.method = "GET";
  request.target = std::string(1, '/');
  request.path = request.target;
  request.headers = std::move(headers);
  return exchange.answer(request);
}

std::string header(const HttpResponse& response, std::string_view name) {
  for (const auto& [key, value] : response.headers) {
    if (key == name) return value;
  }
  return "none";
}

TEST(Exchange, ErrorsBecomeStatusesAndFailuresKeepTheirSecrets) {
  EXPECT_EQ(
      response_to([](auto&, auto& response) { response.set_content("fine", "text/plain"); }).status,
      200);
  EXPECT_EQ(response_to([](auto&, auto&) { throw HttpError(409, "no"); }).status, 409);
  EXPECT_EQ(response_to([](auto&, auto&) { throw RequestError("no"); }).status, 400);
  const HttpResponse unknown = response_to([](auto&, auto&) { throw UnknownImage("x"); });
  EXPECT_EQ(unknown.status, 404);
  EXPECT_THAT(unknown.body, HasSubstr("no image 'x'"));
  const HttpResponse broken_file = response_to(
      [](auto&, auto&) { throw InputError("/secret/index.json", "is broken", "a file"); });
  EXPECT_EQ(broken_file.status, 500);
  EXPECT_THAT(broken_file.body, Not(HasSubstr("secret")));
  const HttpResponse failed =
      response_to([](auto&, auto&) { throw Failure("cannot read /secret/path"); });
  EXPECT_EQ(failed.status, 500);
  EXPECT_THAT(failed.body, Not(HasSubstr("secret")));
}

TEST(Exchange, AnErrorSaysNothingOfTheAnswerThatWasNot) {
  const HttpResponse response = response_to([](auto&, auto& answer) {
    answer.set_content("half", "image/jpeg");
    answer.set_header("ETag", "\"1\"");
    answer.set_header("Cache-Control", "max-age=300");
    answer.set_header("Retry-After", "1");
    throw HttpError(503, "too much");
  });
  EXPECT_EQ(header(response, "ETag"), "none");
  EXPECT_EQ(header(response, "Cache-Control"), "no-store");
  EXPECT_EQ(header(response, "Retry-After"), "1");
  EXPECT_EQ(header(response, "Content-Type"), "application/json");
  EXPECT_THAT(response.body, HasSubstr("too much"));
}

TEST(Exchange, AnIdIsTheClientsWhereItCanBeOne) {
  const auto id_for = [](const std::string& asked) {
    return header(response_to([](auto&, auto&) {}, {{"x-request-id", asked}}), "X-Request-Id");
  };
  EXPECT_EQ(id_for("mine-1"), "mine-1");
  for (const std::string& odd : {std::string(), std::string("a b"),
                                 std::string("a\r\nSet-Cookie: x"), std::string(65, 'a')}) {
    EXPECT_NE(id_for(odd), odd);
    EXPECT_THAT(id_for(odd), testing::MatchesRegex("[0-9a-f]+-[0-9a-f]+"));
  }
}

}  // namespace
}  // namespace hinny
