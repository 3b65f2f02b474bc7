#include "server/request_head.h"

#include <gtest/gtest.h>

#include <string>

#include "base/random.h"
#include "server/http_error.h"

namespace hinny {
namespace {

constexpr std::size_t kMostHead = 16384;
constexpr std::size_t kMostBody = 1000;

std::optional<RequestHead> read(std::string_view bytes) {
  return read_head(bytes, kMostHead, kMostBody);
}

// The status that `bytes` are refused with; 200 for a whole head, 100 while it is not whole.
int status_of(std::string_view bytes) {
  try {
    return read(bytes) ? 200 : 100;
  } catch (const HttpError& error) {
    return error.status();
  }
}

std::string with(const std::string& headers) {
  return "POST / HTTP/1.1\r\n" + headers + "\r\n\r\n";
}

TEST(RequestHead, IsReadIntoItsParts) {
  const std::string bytes =
      "POST /v1/%69mage/a%2Fb?q=a+dog&q=%C3%A9&k HTTP/1.1\r\nHost:localhost \r\n"
      "content-LENGTH: 5\r\nX-Empty:\r\nx-two: a \r\nX-Two:\tb\r\n\r\n";
  const auto head = read(bytes + "hello and more");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->size, bytes.size());
  EXPECT_EQ(head->body_size, 5U);
  EXPECT_FALSE(head->close);
  const HttpRequest& request = head->request;
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/v1/image/a/b");
  EXPECT_EQ(request.target, "/v1/%69mage/a%2Fb?q=a+dog&q=%C3%A9&k");
  EXPECT_EQ(request.query, "q=a+dog&q=%C3%A9&k");
  EXPECT_EQ(request.header("host"), "localhost");
  EXPECT_EQ(request.header("x-empty"), "");
  EXPECT_EQ(request.header("x-two"), "a");
  EXPECT_EQ(request.header_count("x-two"), 2U);
  EXPECT_EQ(request.header_count("x-empty"), 1U);
  EXPECT_EQ(request.header_count("x-none"), 0U);
}

TEST(RequestHead, IsTheSameHoweverItsBytesCome) {
  const std::string bytes = "\r\n\r\nGET /a?b=c HTTP/1.1\r\nHost: x\r\n\r\n";
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_EQ(status_of(bytes.substr(0, size)), 100) << size;
  }
  EXPECT_EQ(read(bytes)->size, bytes.size());
  EXPECT_EQ(read(bytes + "GET /")->size, bytes.size());
}

// Two readers of one connection, a proxy and this one, must see the same requests in it.
TEST(RequestHead, WhereABodyEndsIsNeverInDoubt) {
  for (const char* headers : {"Content-Length: 5\r\nContent-Length: 5",
                              "Content-Length: 5\r\ncontent-length: 6",
                              "Content-Length: 5, 5",
                              "Content-Length: +5",
                              "Content-Length: -5",
                              "Content-Length: 5 5",
                              "Content-Length: 0x5",
                              "Content-Length: 5;",
                              "Content-Length:",
                              "Content-Length : 5",
                              " Content-Length: 5",
                              "A: b\r\n Content-Length: 5",
                              "A: b\r\n\tc",
                              "Content-Length: 5\n",
                              "A: b\nContent-Length: 5",
                              "A: b\rContent-Length: 5",
                              "A\r: b",
                              "A: \r",
                              ": b",
                              "A b",
                              "A(b): c",
                              "A\xc3\xa9: b"}) {
    EXPECT_EQ(status_of(with(headers)), 400) << headers;
  }
  EXPECT_EQ(status_of(with(std::string("A: b\0c", 6))), 400);
  EXPECT_EQ(status_of(with(std::string("Content-Length: 5\0", 18))), 400);
  for (const char* headers :
       {"Transfer-Encoding: chunked", "Content-Length: 5\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: identity\r\nContent-Length: 5", "transfer-encoding:\tx, chunked"}) {
    EXPECT_EQ(status_of(with(headers)), 411) << headers;
  }
  EXPECT_EQ(status_of(with("Content-Length: 1001")), 413);
  EXPECT_EQ(status_of(with("Content-Length: 99999999999999999999999")), 413);
  EXPECT_EQ(status_of(with("Content-Encoding: gzip")), 415);
  EXPECT_EQ(read(with("Content-Length: 0005"))->body_size, 5U);
  EXPECT_EQ(read(with("Content-Length: \t5 "))->body_size, 5U);
  EXPECT_EQ(read(with("Content-Encoding: Identity"))->body_size, 0U);
}

TEST(RequestHead, TheFirstLineIsAsStrict) {
  for (const char* line : {"GET /",
                           "GET",
                           "GET  / HTTP/1.1",
                           "GET / HTTP/1.1 ",
                           "GET / HTTP/1.1 x",
                           " GET / HTTP/1.1",
                           "GET /\tHTTP/1.1",
                           "GET\t/ HTTP/1.1",
                           "GET /a b HTTP/1.1",
                           "GET /\r HTTP/1.1",
                           "GET /\x01 HTTP/1.1",
                           "GET /\x7f HTTP/1.1",
                           "GET / http/1.1",
                           "GET / HTTP/1.",
                           "GET / HTTP/1.x",
                           "GET / HTTP/1.11",
                           "GET / HTTP/1.1\r",
                           "G(T / HTTP/1.1",
                           "GET / XHTTP/1.1",
                           "SSH-2.0-x",
                           "\x16\x03\x01"}) {
    EXPECT_EQ(status_of(line + std::string("\r\nHost: x\r\n\r\n")), 400) << line;
  }
  EXPECT_EQ(status_of("GET / HTTP/1.1\nHost: x\n\n"), 400);
  EXPECT_EQ(status_of("\n"), 400);
  EXPECT_EQ(status_of("\rG"), 400);
  EXPECT_EQ(status_of("BREW / HTTP/1.1\r\n"), 501);
  EXPECT_EQ(status_of("get / HTTP/1.1\r\n"), 501);
  EXPECT_EQ(status_of("PRI * HTTP/2.0\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/0.9\r\n"), 505);
  EXPECT_EQ(status_of("GET / HTTP/1\r\n"), 505);
  EXPECT_EQ(status_of("GET /caf\xc3\xa9 HTTP/1.9\r\n\r\n"), 200);
}

TEST(RequestHead, IsAsLongAsItMayBe) {
  EXPECT_EQ(status_of("GET /" + std::string(8191, 'a')), 100);
  EXPECT_EQ(status_of("GET /" + std::string(8192, 'a')), 414);
  EXPECT_EQ(status_of("GET /" + std::string(20000, 'a') + " HTTP/1.1\r\n\r\n"), 414);
  EXPECT_EQ(status_of(with("A: " + std::string(16000, 'x'))), 200);
  EXPECT_EQ(status_of(with("A: " + std::string(17000, 'x'))), 431);
  EXPECT_EQ(status_of("GET / HTTP/1.1\r\nA: " + std::string(17000, 'x')), 431);
  std::string headers = "A: b";
  for (int i = 1; i < 100; ++i) headers += "\r\nA: b";
  EXPECT_EQ(status_of(with(headers)), 200);
  EXPECT_EQ(status_of(with(headers + "\r\nA: b")), 431);
  std::string lines;
  for (int i = 0; i < 9000; ++i) lines += "\r\n";
  EXPECT_EQ(status_of(lines), 400);
}

TEST(RequestHead, AddressesMayBeAbsolute) {
  const auto path_and_host = [](const std::string& address, const std::string& headers) {
    const auto head = read("GET " + address + " HTTP/1.1\r\n" + headers + "\r\n");
    return head->request.path + " " + head->request.header("host");
  };
  EXPECT_EQ(path_and_host("http://a:80/b?c", "Host: x\r\n"), "/b a:80");
  EXPECT_EQ(path_and_host("HTTPS://a", "host: x\r\n"), "/ a");
  EXPECT_EQ(path_and_host("http://a?b=c", "Host: x\r\n"), "/ a");
  EXPECT_EQ(path_and_host("http://a/b", ""), "/b ");
  EXPECT_EQ(path_and_host("///b#c?d", "Host: x\r\n"), "/b x");
  EXPECT_EQ(path_and_host("/http://a/b", "Host: x\r\n"), "/http://a/b x");
  EXPECT_EQ(path_and_host("*", "Host: x\r\n"), "* x");
  // Two hosts stay two, for whoever asks who is meant.
  EXPECT_EQ(
      read("GET http://a/ HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n")->request.header_count("host"),
      2U);
}

TEST(RequestHead, SaysWhetherTheConnectionCloses) {
  const auto closes = [](const std::string& version, const std::string& headers) {
    return read("GET / HTTP/" + version + "\r\n" + headers + "\r\n")->close;
  };
  EXPECT_FALSE(closes("1.1", ""));
  EXPECT_TRUE(closes("1.1", "Connection: Close\r\n"));
  EXPECT_TRUE(closes("1.1", "Connection: TE , close\r\n"));
  EXPECT_TRUE(closes("1.1", "Connection: keep-alive\r\nConnection: close\r\n"));
  EXPECT_FALSE(closes("1.1", "Connection: closed\r\n"));
  EXPECT_TRUE(closes("1.0", ""));
  EXPECT_FALSE(closes("1.0", "Connection: Keep-Alive\r\n"));
  EXPECT_TRUE(closes("1.0", "Connection: keep-alive, close\r\n"));
}

TEST(RequestHead, SaysWhoWaitsForUsAndWhoIsUrgent) {
  EXPECT_TRUE(read(with("Expect: 100-Continue"))->expects_continue);
  EXPECT_FALSE(read(with("Expect: 200-ok"))->expects_continue);
  EXPECT_FALSE(read("POST / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n")->expects_continue);
  EXPECT_TRUE(read("GET /health HTTP/1.1\r\n\r\n")->urgent);
  EXPECT_TRUE(read("HEAD //metrics?x HTTP/1.1\r\n\r\n")->urgent);
  EXPECT_FALSE(read("POST /health HTTP/1.1\r\n\r\n")->urgent);
  EXPECT_FALSE(read("GET /healthy HTTP/1.1\r\n\r\n")->urgent);
}

TEST(RequestHead, AnyBytesAreReadOrRefused) {
  Random random(5);
  const std::string good =
      "POST /v1/search?q=a%20dog HTTP/1.1\r\nHost: localhost\r\nContent-Length: 7\r\n\r\n";
  for (int i = 0; i < 20000; ++i) {
    std::string head = good;
    for (int flips = 0; flips < 4; ++flips) {
      head[random.below(head.size())] = static_cast<char>(random.below(256));
    }
    const int status = status_of(head);
    EXPECT_TRUE(status < 300 || (status >= 400 && status < 600)) << status;
  }
}

}  // namespace
}  // namespace hinny
