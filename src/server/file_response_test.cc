#include "server/file_response.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "server/http_error.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::AllOf;
using testing::Field;
using testing::Optional;

auto range(std::uint64_t first, std::uint64_t size) {
  return Optional(AllOf(Field(&ByteRange::first, first), Field(&ByteRange::size, size)));
}

TEST(AskedRange, IsThatOfTheFile) {
  EXPECT_THAT(asked_range("bytes=0-0", 10), range(0, 1));
  EXPECT_THAT(asked_range("bytes=2-5", 10), range(2, 4));
  EXPECT_THAT(asked_range("bytes=2-", 10), range(2, 8));
  EXPECT_THAT(asked_range("bytes=2-99999999999999999999999", 10), range(2, 8));
  EXPECT_THAT(asked_range("bytes=-3", 10), range(7, 3));
  EXPECT_THAT(asked_range("bytes=-30", 10), range(0, 10));
  EXPECT_THAT(asked_range("bytes=9-", 10), range(9, 1));
}

TEST(AskedRange, MayBeOfNoByte) {
  for (const char* text : {"bytes=10-", "bytes=10-20", "bytes=99999999999999999999-", "bytes=-0"}) {
    EXPECT_THAT(asked_range(text, 10), Optional(Field(&ByteRange::size, 0U))) << text;
  }
  EXPECT_THAT(asked_range("bytes=0-", 0), Optional(Field(&ByteRange::size, 0U)));
}

TEST(AskedRange, IsPassedOverWhereItIsNone) {
  for (const char* text :
       {"", "bytes", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-2", "bytes=1-2,4-5", "bytes=1",
        "items=0-1", "bytes=--1", "bytes=1-2-3", "bytes= 1-2"}) {
    EXPECT_EQ(asked_range(text, 10), std::nullopt) << text;
  }
}

TEST(FilmType, IsThatOfTheEnding) {
  EXPECT_STREQ(film_type("a/film.mp4"), "video/mp4");
  EXPECT_STREQ(film_type("film.MOV"), "video/quicktime");
  EXPECT_STREQ(film_type("moves.webp"), "image/webp");
  for (const char* other : {"film", "film.", ".mp4", "film.mp4.txt"}) {
    EXPECT_STREQ(film_type(other), "application/octet-stream") << other;
  }
}

class SentFile : public testing::Test {
 protected:
  void SetUp() override { write_file(folder_ / "film.mp4", "0123456789"); }
  HttpResponse get(const HttpFields& headers, const char* method = "GET") {
    HttpRequest request;
    request.method = method;
    request.headers = headers;
    HttpResponse response;
    send_file(request, response, folder_ / "film.mp4", "video/mp4");
    return response;
  }
  static std::string header(const HttpResponse& response, std::string_view name) {
    for (const auto& [key, value] : response.headers) {
      if (key == name) return value;
    }
    return "";
  }
  const Scratch folder_;
};

TEST_F(SentFile, IsWholeOrThePartThatIsAskedFor) {
  HttpResponse response = get({});
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.file.size, 10U);
  EXPECT_EQ(header(response, "Accept-Ranges"), "bytes");
  EXPECT_EQ(header(response, "Content-Type"), "video/mp4");
  response = get({{"range", "bytes=2-4"}});
  EXPECT_EQ(response.status, 206);
  EXPECT_EQ(response.file.offset, 2U);
  EXPECT_EQ(response.file.size, 3U);
  EXPECT_EQ(header(response, "Content-Range"), "bytes 2-4/10");
  EXPECT_EQ(get({{"range", "bytes=2-4"}}, "HEAD").status, 200);
  EXPECT_EQ(get({{"range", "bytes=2-4"}, {"range", "bytes=5-6"}}).status, 200);
  try {
    get({{"range", "bytes=10-"}});
    FAIL();
  } catch (const HttpError& error) {
    EXPECT_EQ(error.status(), 416);
  }
}

TEST_F(SentFile, IsOfOneVersion) {
  const std::string tag = header(get({}), "ETag");
  EXPECT_EQ(get({{"if-none-match", tag}}).status, 304);
  EXPECT_EQ(get({{"if-range", tag}, {"range", "bytes=2-4"}}).status, 206);
  for (const std::string& other :
       std::vector<std::string>{"\"other\"", "W/" + tag, "Sat, 15 Jun 2024 08:30:00 GMT"}) {
    EXPECT_EQ(get({{"if-range", other}, {"range", "bytes=2-4"}}).status, 200) << other;
  }
  write_file(folder_ / "film.mp4", "another film");
  EXPECT_NE(header(get({}), "ETag"), tag);
  EXPECT_EQ(get({{"if-range", tag}, {"range", "bytes=2-4"}}).status, 200);
}

TEST(FilmTypes, GoByTheEnding) {
  EXPECT_STREQ(film_type("a/B.MP4"), "video/mp4");
  EXPECT_STREQ(film_type("a.mov"), "video/quicktime");
  EXPECT_STREQ(film_type("a.webm"), "video/webm");
  EXPECT_STREQ(film_type("a.braw"), "application/octet-stream");
}

}  // namespace
}  // namespace hinny
