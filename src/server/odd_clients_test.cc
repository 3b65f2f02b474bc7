// What proxies, health checks, old clients and those of other protocols send.
#include <sys/resource.h>

#include <cstdlib>

#include "base/error.h"
#include "server/api_fixture.h"
#include "server/assets.h"
#include "server/http_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct OddClients : ApiTest {
  // All that is answered until the server closes the connection.
  std::string answer_to(const std::string& bytes) const {
    const RawClient raw(served.server.port());
    raw.send(bytes);
    return raw.rest();
  }
  std::string get_as(const std::string& target, const std::string& headers) const {
    return answer_to("GET " + target + " HTTP/1.1\r\nConnection: close\r\n" + headers + "\r\n");
  }
};

TEST_F(OddClients, WhatIsNoHttpIsAnsweredOnceAndTheConnectionCloses) {
  const std::string tls("\x16\x03\x01\0\xa5\x01\0\0\xa1\x03\x03", 11);
  for (const std::string& bytes :
       {tls, std::string("SSH-2.0-x\r\n"), std::string(100, '\0'), std::string(40, 'A'),
        std::string("GET / HTTP/1.1\nHost: localhost\n\n"), std::string("GET /\r\n"),
        std::string("GET / HTTP/1.1\r\nHost localhost\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n"),
        std::string("GET / HTTP/1.1\r\nHost: localhost\r\n folded\r\n\r\n"),
        std::string("GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n")}) {
    const std::string answer = answer_to(bytes + "GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 400")) << bytes;
    EXPECT_EQ(answer.find("HTTP/1.1", 1), std::string::npos) << answer;
    EXPECT_THAT(answer, HasSubstr("Connection: close"));
  }
  EXPECT_THAT(answer_to("HEAD / HTTP/1.1\r\nHost localhost\r\n\r\n"),
              testing::AllOf(StartsWith("HTTP/1.1 400"), testing::EndsWith("\r\n\r\n")));
  EXPECT_THAT(answer_to("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), StartsWith("HTTP/1.1 505"));
  EXPECT_THAT(answer_to("BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n"), StartsWith("HTTP/1.1 501"));
  EXPECT_THAT(answer_to("GET /" + std::string(9000, 'a') + " HTTP/1.1\r\nHost: localhost\r\n\r\n"),
              StartsWith("HTTP/1.1 414"));
}

TEST_F(OddClients, AddressesMayBeAbsolute) {
  for (const char* target : {"http://localhost/health", "HTTP://LOCALHOST.:80/health",
                             "http://127.0.0.1:9/health", "//health", "///health", "/%68ealth"}) {
    EXPECT_THAT(get_as(target, "Host: localhost\r\n"), StartsWith("HTTP/1.1 200")) << target;
  }
  EXPECT_THAT(get_as("http://localhost", "Host: localhost\r\n"), HasSubstr("<html"));
  EXPECT_THAT(get_as("http://localhost?q=a", "Host: localhost\r\n"), HasSubstr("<html"));
  // The address's host is the one that counts.
  EXPECT_THAT(get_as("http://evil.example/health", "Host: localhost\r\n"),
              StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get_as("http://localhost/health", "Host: evil.example\r\n"),
              StartsWith("HTTP/1.1 200"));
}

TEST_F(OddClients, HostsAreComparedWithoutCaseAndFinalDot) {
  for (const char* host : {"LOCALHOST", "Localhost:99", "localhost.", "localhost.:99", "127.1.2.3",
                           "[::1]:99", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]"}) {
    EXPECT_THAT(get_as("/health", std::string("Host: ") + host + "\r\n"),
                StartsWith("HTTP/1.1 200"))
        << host;
  }
  for (const char* host :
       {"evil.example", "localhost.evil.example", "localhost..", ".", "127.0.0.1.evil.example",
        "[::2]", "xlocalhost", "localhost:80@evil.example", "[::1", "[::1]evil.example",
        "localhost:evil"}) {
    EXPECT_THAT(get_as("/health", std::string("Host: ") + host + "\r\n"),
                StartsWith("HTTP/1.1 403"))
        << host;
  }
  EXPECT_THAT(get_as("/health", ""), StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(get_as("/health", "Host: localhost\r\nHost: localhost\r\n"),
              StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(answer_to("GET /health HTTP/1.0\r\n\r\n"), HasSubstr(" 200 "));  // HAProxy's check
}

TEST_F(OddClients, TagsMayBeWeakListedOrAny) {
  const std::string tag = client.get("/v1/image/p0?size=32").header("ETag");
  const auto status = [&](const std::string& tags) {
    return client.get("/v1/image/p0?size=32", {{"If-None-Match", tags}}).status;
  };
  EXPECT_THAT(get_as("/app.js", "Host: localhost\r\nIf-None-Match: *\r\n"),
              StartsWith("HTTP/1.1 304"));
  for (const std::string& tags :
       {tag, "W/" + tag, "\"x\", " + tag, "\"x\",W/" + tag + ",\"y\"", std::string("*")}) {
    EXPECT_EQ(status(tags), 304) << tags;
  }
  for (const std::string& tags : {std::string("\"x\""), std::string("x"), std::string("\"*\""),
                                  "x" + tag, "\"a" + tag.substr(1), std::string("\"")}) {
    EXPECT_EQ(status(tags), 200) << tags;
  }
}

TEST_F(OddClients, OptionsSayWhatIsAnswered) {
  const auto result = client.ask("OPTIONS", "/v1/search");
  EXPECT_EQ(result.status, 204);
  EXPECT_EQ(result.header("Allow"), "GET, HEAD, POST, OPTIONS");
  EXPECT_EQ(result.count("Access-Control-Allow-Origin"), 0U);
  EXPECT_EQ(result.count("Content-Length"), 0U);
  EXPECT_EQ(client.ask("OPTIONS", "/nothing").status, 404);
  EXPECT_EQ(client.ask("PUT", "/health").status, 405);
}

TEST_F(OddClients, EmbeddingsAreAsLongAsTheyAreOrRefused) {
  const std::size_t dim = get("/v1/collection")["dim"];
  const auto asked = [&](const std::string& more) {
    return R"({"input":"a dog")" + (more.empty() ? "" : "," + more) + "}";
  };
  const json plain = post("/v1/embeddings", asked(""));
  EXPECT_EQ(post("/v1/embeddings", asked("\"dimensions\":" + std::to_string(dim))), plain);
  EXPECT_EQ(
      post("/v1/embeddings", asked(R"("dimensions":null,"lang":null,"encoding_format":null)")),
      plain);
  for (const char* wrong : {"3", "7", "0", "-6", "6.5", "1e300", "\"6\"", "[]", "true", "{}"}) {
    EXPECT_THAT(post("/v1/embeddings", asked(std::string("\"dimensions\":") + wrong), 400).dump(),
                HasSubstr("expected 6, which this model's vectors have"))
        << wrong;
  }
  for (const char* tokens : {"[1,2]", "[[1,2],[3]]", "[[15339]]", "[\"a\",1]"}) {
    EXPECT_THAT(post("/v1/embeddings", std::string(R"({"input":)") + tokens + "}", 400).dump(),
                HasSubstr("tokens"))
        << tokens;
  }
}

// Whatever has the wrong shape is the client's fault.
TEST_F(OddClients, NoValueOfTheWrongShapeIsTheServersFault) {
  const json api = get("/openapi.json");
  for (const char* path : {"/v1/search", "/v1/embeddings"}) {
    const json& body = api["paths"][path]["post"]["requestBody"]["content"]["application/json"];
    for (const auto& field : body["schema"]["properties"].items()) {
      for (const char* value :
           {"[]", "[[]]", "{}", "null", "true", "1", "-1", "1.5", "1e308", "1e400", "\"\"",
            "\"\\u0000\"", "[null]", "[\"a\",\"b\"]", "[1]", "[{}]", "18446744073709551616"}) {
        for (const char* first : {R"("q":"a","input":"a",)", R"("q":["a"],)", R"("input":["a"],)",
                                  R"("like":"p1",)", ""}) {
          const std::string text =
              "{" + std::string(first) + "\"" + field.key() + "\":" + value + "}";
          EXPECT_LT(client.post(path, text, "application/json").status, 500) << path << text;
        }
      }
    }
  }
}

TEST_F(OddClients, PicturesAreFoundFromTheAnswersAddressAndFromThePages) {
  const std::string url = get("/v1/search?q=a%20dog&k=1")["results"][0]["url"];
  EXPECT_THAT(url, StartsWith("image/"));
  EXPECT_EQ(client.get("/v1/" + url + "?size=32").status,
            client.get("/" + url + "?size=32").status);
  const std::string page = client.get("/").body;
  for (const char* absolute : {"src=\"/", "href=\"/", "action=\"/"}) {
    EXPECT_THAT(page, Not(HasSubstr(absolute)));
  }
  for (const auto& [name, bytes] : assets()) {
    if (!name.ends_with(".js") && !name.ends_with(".css")) continue;
    for (const char* absolute : {"'/v1", "`/v1", "\"/v1", "url(/", "from '/"}) {
      EXPECT_THAT(std::string(bytes), Not(HasSubstr(absolute))) << name;
    }
  }
  EXPECT_EQ(get("/openapi.json")["servers"][0]["url"], ".");
}

// In a process of its own, which may open few files: more clients than that neither end it nor keep
// it busy.
[[noreturn]] void serve_with_few_files(rlim_t files) {
  rlimit limit{files, files};
  ::setrlimit(RLIMIT_NOFILE, &limit);
  const auto fail = [](const char* what) {
    fmt::print(stderr, "{}\n", what);
    std::_Exit(1);
  };
  Metrics metrics;
  RunningServer server(few(), metrics, echo);
  limit.rlim_cur = files;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  std::vector<std::unique_ptr<RawClient>> clients;
  for (rlim_t i = 0; i < files / 2; ++i) {
    const int probe = ::dup(2);
    if (probe < 0) break;  // the clients' own end needs descriptors as well
    ::close(probe);
    clients.push_back(std::make_unique<RawClient>(server.port()));
  }
  rusage before{}, after{};
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ::getrusage(RUSAGE_SELF, &before);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  ::getrusage(RUSAGE_SELF, &after);
  const auto milliseconds = [](const rusage& use) {
    return (use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1000 +
           (use.ru_utime.tv_usec + use.ru_stime.tv_usec) / 1000;
  };
  if (milliseconds(after) - milliseconds(before) > 300) fail("it spins");
  clients.clear();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  const RawClient client(server.port());
  client.send("GET / HTTP/1.1\r\n\r\n");
  if (client.until("\r\n") != "HTTP/1.1 200 OK\r\n") fail("no answer afterwards");
  std::_Exit(0);
}

TEST(FewFilesDeathTest, AServerStandsWithFewFiles) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "sanitizers look at memory through a pipe, and take a lack of one for a fault";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const rlim_t files : {30, 40, 63, 64, 65, 128}) {
    EXPECT_EXIT(serve_with_few_files(files), testing::ExitedWithCode(0), "") << files;
  }
}

[[noreturn]] void start_with_too_few_files() {
  const rlimit limit{12, 12};
  ::setrlimit(RLIMIT_NOFILE, &limit);
  Metrics metrics;
  try {
    const HttpServer server("127.0.0.1", 0, few(), metrics, echo);
  } catch (const Failure& error) {
    fmt::print(stderr, "{}\n", error.what());
    std::_Exit(3);
  }
  std::_Exit(0);
}

TEST(FewFilesDeathTest, TooFewAreSaid) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(start_with_too_few_files(), testing::ExitedWithCode(3),
              "only 12 files may be open at once");
}

}  // namespace
}  // namespace hinny
