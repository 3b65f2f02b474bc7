// hinny serve of a model alone, as clients ask it that know OpenAI's API or a photo server's
// machine-learning container. The requests are those that the openai package for JavaScript 6.49
// and Node 20's fetch (with the calls in immich's source) sent to a socket that wrote them down,
// but for the address and the end of the connection.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/npy.h"
#include "index/folder/index.h"
#include "tests/drawn_bundle.h"
#include "tests/local_http.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* kOpenAi =
    "POST /v1/embeddings HTTP/1.1\r\n"
    "host: 127.0.0.1:{0}\r\n"
    "connection: close\r\n"
    "accept: application/json\r\n"
    "user-agent: OpenAI/JS 6.49.0\r\n"
    "x-stainless-retry-count: 0\r\n"
    "x-stainless-lang: js\r\n"
    "x-stainless-package-version: 6.49.0\r\n"
    "x-stainless-os: Linux\r\n"
    "x-stainless-arch: x64\r\n"
    "x-stainless-runtime: node\r\n"
    "x-stainless-runtime-version: v20.20.2\r\n"
    "authorization: Bearer 0123456789abcdef\r\n"
    "content-type: application/json\r\n"
    "accept-language: *\r\n"
    "sec-fetch-mode: cors\r\n"
    "accept-encoding: gzip, deflate\r\n"
    "content-length: {1}\r\n\r\n{2}";
constexpr const char* kPhotoServer =
    "POST /predict HTTP/1.1\r\n"
    "host: 127.0.0.1:{0}\r\n"
    "connection: close\r\n"
    "content-type: multipart/form-data; boundary=----formdata-undici-054477877706\r\n"
    "accept: */*\r\n"
    "accept-language: *\r\n"
    "sec-fetch-mode: cors\r\n"
    "user-agent: node\r\n"
    "accept-encoding: gzip, deflate\r\n"
    "content-length: {1}\r\n\r\n{2}";
constexpr const char* kText =
    "------formdata-undici-054477877706\r\n"
    "Content-Disposition: form-data; name=\"entries\"\r\n\r\n"
    "{{\"clip\":{{\"textual\":{{\"modelName\":\"ViT-B-32__openai\",\"options\":{{\"language\":"
    "\"de\"}}}}}}}}\r\n"
    "------formdata-undici-054477877706\r\n"
    "Content-Disposition: form-data; name=\"text\"\r\n\r\n"
    "{}\r\n"
    "------formdata-undici-054477877706--\r\n";
constexpr const char* kImage =
    "------formdata-undici-054477877706\r\n"
    "Content-Disposition: form-data; name=\"entries\"\r\n\r\n"
    "{{\"clip\":{{\"visual\":{{\"modelName\":\"ViT-B-32__openai\"}}}}}}\r\n"
    "------formdata-undici-054477877706\r\n"
    "Content-Disposition: form-data; name=\"image\"; filename=\"blob\"\r\n"
    "Content-Type: application/octet-stream\r\n\r\n"
    "{}\r\n"
    "------formdata-undici-054477877706--\r\n";

// Runs from construction on, until stop().
class Serving {
 public:
  explicit Serving(const std::vector<std::string>& words) {
    std::vector<std::string> all = {"serve", "--port", std::to_string(port_), "--threads", "2"};
    all.insert(all.end(), words.begin(), words.end());
    RunOptions options;
    options.kill_when = [this] { return stop_.load(); };
    options.kill_signal = SIGTERM;
    running_ = std::async(std::launch::async, [all, options] { return run_hinny(all, options); });
    for (int i = 0; i < 600 && !get_from_local(port_, "/ping"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  ~Serving() {
    if (running_.valid()) stop();
  }
  Outcome stop() {
    stop_ = true;
    return running_.get();
  }

  std::string get(const std::string& path) const {
    return get_from_local(port_, path).value_or("");
  }
  std::string ask(const char* head, const std::string& body) const {
    return ask_local(port_, fmt::format(fmt::runtime(head), port_, body.size(), body)).value_or("");
  }
  static json body_of(const std::string& response) {
    EXPECT_TRUE(response.starts_with("HTTP/1.1 200 ")) << response.substr(0, 500);
    return json::parse(response.substr(response.find("\r\n\r\n") + 4), nullptr, false);
  }
  json embed(const std::string& body) const { return body_of(ask(kOpenAi, body)); }
  json predict(const std::string& form) const { return body_of(ask(kPhotoServer, form)); }

 private:
  const int port_ = free_port();
  std::atomic<bool> stop_ = false;
  std::future<Outcome> running_;
};

std::string base64_of(const std::string& bytes) {
  constexpr const char* kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    unsigned group = 0;
    for (std::size_t i = at; i < at + 3; ++i) {
      group = group << 8U | (i < bytes.size() ? static_cast<unsigned char>(bytes[i]) : 0U);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      text += at + i <= bytes.size() ? kDigits[group >> (18 - 6 * i) & 63U] : '=';
    }
  }
  return text;
}

std::string base64_of(const std::vector<float>& numbers) {
  return base64_of(
      std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float)));
}

std::vector<float> clip_of(const json& answer) {
  return json::parse(answer.at("clip").get<std::string>()).get<std::vector<float>>();
}

void expect_near(const std::vector<float>& some, const std::vector<float>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_NEAR(some[i], others[i], 1e-4) << i;
}

class EmbeddingService : public DrawnBundle {
 protected:
  // As `hinny encode` writes it.
  std::vector<float> encoded(const std::string& text, const std::string& language) const {
    const std::string file = scratch_ / "vector.npy";
    RunOptions options;
    options.input = text + "\n";
    const Outcome done =
        run_hinny({"encode", *made_ / "bundle", "--lang", language, "--out", file}, options);
    EXPECT_EQ(done.code, 0) << done.err;
    const NpyArray array = NpyArray::open(file);
    std::vector<float> row(static_cast<std::size_t>(array.row_size()));
    array.row(0, row);
    return row;
  }
};

TEST_F(EmbeddingService, AnOpenAiClientGetsTheModelsVectors) {
  Serving serving({*made_ / "bundle"});
  const json answer = serving.embed(
      R"({"model":"clip","input":["three white keys","drei weiße Schlüssel"],"encoding_format":"base64"})");
  EXPECT_EQ(answer["model"], "bundle");
  ASSERT_EQ(answer["data"].size(), 2U);
  EXPECT_EQ(answer["data"][0]["embedding"], base64_of(encoded("three white keys", "en")));
  EXPECT_EQ(answer["data"][1]["embedding"], base64_of(encoded("drei weiße Schlüssel", "de")));
  const json model = Serving::body_of(serving.get("/v1/models"))["data"][0];
  EXPECT_EQ(model["id"], "bundle");
  EXPECT_EQ(model["dimension"], 32);
  EXPECT_EQ(model["languages"], json({"en", "de"}));
  EXPECT_EQ(model["system"], "bag");
  const Outcome done = serving.stop();
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("serving the model bundle (32 numbers a vector) on http://"));
  EXPECT_THAT(done.err, HasSubstr(" POST /v1/embeddings 200 "));
}

TEST_F(EmbeddingService, APhotoServerGetsTheVectorsThatAnIndexHas) {
  const Outcome done = run_hinny({"index", *made_ / "bundle", "--pictures", root_, "--out", mine_});
  ASSERT_EQ(done.code, 0) << done.err;
  const Index index = Index::open(mine_);
  const Serving serving({*made_ / "bundle"});
  EXPECT_THAT(serving.get("/ping"), testing::EndsWith("\r\n\r\npong"));
  const std::string file = read_file(index.picture(0));
  const json seen = serving.predict(fmt::format(kImage, file));
  expect_near(clip_of(seen), index.vector(0, index.contents().spaces.front()));
  EXPECT_GT(seen["imageWidth"], 16);
  EXPECT_GT(seen["imageHeight"], 16);
  const json by_url =
      serving.embed(json{{"input", "data:image/png;base64," + base64_of(file)}}.dump());
  expect_near(by_url["data"][0]["embedding"].get<std::vector<float>>(), clip_of(seen));
  EXPECT_EQ(clip_of(serving.predict(fmt::format(kText, "drei weiße Schlüssel"))),
            encoded("drei weiße Schlüssel", "de"));
  // The page is German, the question is not.
  EXPECT_EQ(clip_of(serving.predict(fmt::format(kText, "a red bird"))),
            encoded("a red bird", "en"));
}

TEST_F(EmbeddingService, ServesArchivesAndRunsAsWell) {
  const std::string archive = scratch_ / "photo-model.tar.gz";
  const Outcome packed = run_hinny({"bundle", *made_ / "bundle", "--out", archive});
  ASSERT_EQ(packed.code, 0) << packed.err;
  const std::string body = R"({"input":"three white keys"})";
  const json one = Serving({archive}).embed(body);
  EXPECT_EQ(one["model"], "photo-model");
  EXPECT_EQ(one["data"][0]["embedding"].get<std::vector<float>>(),
            encoded("three white keys", "en"));
  const json other = Serving({(*made_ / "run").string() + "/"}).embed(body);
  EXPECT_EQ(other["model"], "run");
  EXPECT_EQ(other["data"][0]["embedding"].size(), 32U);
}

TEST_F(EmbeddingService, OptionsActWhereTheyAreSaidTo) {
  const std::string model = *made_ / "bundle", key = scratch_ / "key";
  write_file(key, "0123456789abcdef\n");
  Serving locked({model, "--api-key-file", key, "--max-body", "1", "--quiet"});
  EXPECT_THAT(locked.get("/v1/models"), HasSubstr(" 401 "));
  locked.embed(R"({"input":"three white keys"})");  // the recorded client has the key
  EXPECT_THAT(locked.ask(kOpenAi, std::string(2 << 20, ' ')), HasSubstr(" 413 "));
  const Outcome done = locked.stop();
  EXPECT_THAT(done.err, testing::Not(HasSubstr("POST")));
  for (const auto& [words, says] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"serve", model, "--cache", "3"}, "--cache has no effect for a model without an index"},
           {{"serve", model, "--in", "postgresql://me/x?table=y"},
            "--in has no effect for a model"},
           {{"serve", scratch_ / "none", "--network", "x.onnx"},
            "--network has no effect for an index"},
           {{"serve", model, "--network", "x.onnx"}, "a network beside a bundle"},
           {{"serve", *made_ / "run", "--network", "x.onnx"}, "x.onnx: is no network"},
           {{"serve", model, "--host", "0.0.0.0"}, "lets other machines in"}}) {
    const Outcome outcome = run_hinny(words);
    EXPECT_EQ(outcome.code, 2) << says;
    EXPECT_THAT(outcome.err, HasSubstr(says));
  }
  fs::copy(model, scratch_ / "broken", fs::copy_options::recursive);
  write_file(scratch_ / "broken/model.safetensors", "");
  const Outcome broken = run_hinny({"serve", scratch_ / "broken"});
  EXPECT_EQ(broken.code, 2);
  EXPECT_THAT(broken.err, HasSubstr("model.safetensors"));
}

}  // namespace
}  // namespace hinny
