// For tests: a small model without a collection, served, and what a client is answered.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "server/base64.h"
#include "server/embedding_api.h"
#include "server/server_fixture.h"

namespace hinny {

// All of it: what `hinny serve MODEL` runs.
class ServedModel {
 public:
  explicit ServedModel(const std::filesystem::path& run, const std::string& key = "",
                       const HttpLimits& limits = {})
      : embedder(run, {}),
        api(embedder, metrics, {"small", key, limits.waiting}),
        exchange([this](const HttpRequest& request) { return api.find(request); }, metrics, false),
        server(limits, metrics,
               [this](const HttpRequest& request) { return exchange.answer(request); }) {}

  Metrics metrics;
  Embedder embedder;
  EmbeddingApi api;
  Exchange exchange;
  RunningServer server;
};

// Its words are those of ModelFixture; the built-in descriptor sees for it.
class ServedModelTest : public testing::Test {
 protected:
  nlohmann::json get(const std::string& path, int status = 200) {
    return checked(client.get(path), status, path);
  }
  nlohmann::json embed(const std::string& body, int status = 200) {
    return checked(client.post("/v1/embeddings", body, "application/json"), status, body);
  }
  // With one input.
  std::vector<float> vector_of(const nlohmann::json& input) {
    const nlohmann::json answer = embed(nlohmann::json{{"input", input}}.dump());
    return answer.at("data").at(0).at("embedding").get<std::vector<float>>();
  }
  // As the photo server sends it: `file` is whether the second field has a file's name.
  HttpAnswer predict(const std::string& entries, const std::string& name, const std::string& value,
                     bool file = false) {
    const std::string mark = "------formdata-undici-045365601638";
    const std::string extra =
        file ? "; filename=\"blob\"\r\nContent-Type: application/octet-stream" : "";
    return client.post(
        "/predict",
        fmt::format(
            "{0}\r\nContent-Disposition: form-data; name=\"entries\"\r\n\r\n{1}\r\n"
            "{0}\r\nContent-Disposition: form-data; name=\"{2}\"{3}\r\n\r\n{4}\r\n{0}--\r\n",
            mark, entries, name, extra, value),
        "multipart/form-data; boundary=" + mark.substr(2));
  }
  static nlohmann::json checked(const HttpAnswer& result, int status, const std::string& about) {
    EXPECT_EQ(result.status, status) << about.substr(0, 200) << "\n" << result.body;
    nlohmann::json answer = nlohmann::json::parse(result.body, nullptr, false);
    if (status >= 400) {
      EXPECT_TRUE(answer.contains("/error/message"_json_pointer)) << result.body;
      EXPECT_TRUE(answer.contains("/error/type"_json_pointer)) << result.body;
      EXPECT_THAT(result.body, testing::Not(testing::HasSubstr("hinny-test-")))
          << "a path of this machine";
    }
    return answer;
  }

  static std::string data_url(const std::string& file) {
    return "data:image/jpeg;base64," + to_base64(file);
  }

  const Scratch folder;
  PictureIndex index{folder};
  const std::filesystem::path run = folder / "run";
  const std::string picture = picture_file(80, 40, 200);
  ServedModel served{run};
  HttpClient client = served.server.client();
};

}  // namespace hinny
