// A model without a collection, asked in OpenAI's shape (predict_test.cc: in a photo server's).
#include "server/embedding_api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "base/read_file.h"
#include "encoder/text_encoder.h"
#include "server/assets.h"
#include "server/served_model_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::HasSubstr;

using EmbeddingApiTest = ServedModelTest;

std::vector<float> sentence_vector(const std::filesystem::path& run, const std::string& text,
                                   const std::string& language) {
  const Model model = Model::open(run);
  return TextEncoder(model).encode(text, language).vector;
}

std::vector<float> picture_vector(const std::filesystem::path& run, const std::string& file) {
  const Model model = Model::open(run);
  const auto encoder = make_builtin_encoder();
  std::vector<float> features(static_cast<std::size_t>(encoder->row_size()));
  const std::vector<std::vector<float>> prepared = {
      encoder->prepare(decode_picture(std::as_bytes(std::span(file))))};
  encoder->encode(prepared, features);
  return ImageEncoder(model).encode(features, "image");
}

TEST_F(EmbeddingApiTest, SentencesAndPicturesHaveTheModelsVectors) {
  const json answer = embed(
      json{{"input", {"a dog runs", data_url(picture), "ein hund"}}, {"model", "any"}}.dump());
  EXPECT_EQ(answer["object"], "list");
  EXPECT_EQ(answer["model"], "small");
  EXPECT_EQ(answer["usage"], json({{"prompt_tokens", 5}, {"total_tokens", 5}}));
  ASSERT_EQ(answer["data"].size(), 3U);
  const std::vector<std::vector<float>> wanted = {sentence_vector(run, "a dog runs", "en"),
                                                  picture_vector(run, picture),
                                                  sentence_vector(run, "ein hund", "de")};
  for (std::size_t i = 0; i < 3; ++i) {
    const json& item = answer["data"][i];
    EXPECT_EQ(item["object"], "embedding");
    EXPECT_EQ(item["index"], i);
    const auto vector = item["embedding"].get<std::vector<float>>();
    EXPECT_EQ(vector, wanted[i]) << i;
    float squares = 0;
    for (const float x : vector) squares += x * x;
    EXPECT_NEAR(squares, 1, 1e-4) << i;
  }
}

TEST_F(EmbeddingApiTest, PicturesComeInTheShapesOfOtherServers) {
  const std::string base64 = to_base64(picture);
  const std::vector<float> wanted = picture_vector(run, picture);
  for (const json& input : std::vector<json>{
           data_url(picture),
           json::array({data_url(picture)}),
           {{"image", data_url(picture)}},
           {{"image", base64}},
           {{"image_url", data_url(picture)}},
           json::array({{{"type", "image_url"}, {"image_url", {{"url", data_url(picture)}}}}}),
           "data:application/octet-stream;base64," + base64,
       }) {
    EXPECT_EQ(vector_of(input), wanted) << input.dump().substr(0, 60);
  }
  EXPECT_EQ(vector_of({{"text", "a dog"}}), sentence_vector(run, "a dog", "en"));
  EXPECT_EQ(vector_of({{"type", "text"}, {"text", "a dog"}}), vector_of("a dog"));
}

TEST_F(EmbeddingApiTest, VectorsMayComeInBase64) {
  const json answer = embed(R"({"input":"a dog","encoding_format":"base64","dimensions":6})");
  const auto bytes = from_base64(answer["data"][0]["embedding"].get<std::string>());
  std::vector<float> vector(6);
  ASSERT_EQ(bytes->size(), vector.size() * sizeof(float));
  std::memcpy(vector.data(), bytes->data(), bytes->size());
  EXPECT_EQ(vector, sentence_vector(run, "a dog", "en"));
  for (const char* nothing : {R"({"input":"a dog","encoding_format":null,"dimensions":null})",
                              R"({"input":"a dog","user":"me"})"}) {
    EXPECT_EQ(embed(nothing)["data"][0]["embedding"].get<std::vector<float>>(), vector);
  }
  EXPECT_TRUE(embed(R"({"input":[]})")["data"].empty());
}

TEST_F(EmbeddingApiTest, ALanguageDecides) {
  const auto in = [&](const char* field, const char* language) {
    return embed(json{{"input", "am"}, {field, language}}.dump())["data"][0]["embedding"]
        .get<std::vector<float>>();
  };
  EXPECT_EQ(in("language", "de"), sentence_vector(run, "am", "de"));
  EXPECT_EQ(in("language", "eng_Latn"), sentence_vector(run, "am", "en"));
  EXPECT_EQ(in("lang", "en"), sentence_vector(run, "am", "en"));
  EXPECT_NE(in("lang", "en"), in("lang", "de"));
  EXPECT_THAT(embed(R"({"input":"am","language":"fr"})", 400).dump(),
              HasSubstr("the model has no language 'fr'"));
  EXPECT_THAT(embed(R"({"input":"am","language":"de","lang":"en"})", 400).dump(),
              HasSubstr("both lang and language"));
}

TEST_F(EmbeddingApiTest, OddInputsAreRefused) {
  const std::string none = to_base64("no picture");
  const std::vector<std::pair<json, std::string>> inputs = {
      {{1, 2, 3}, "tokens of another model"},
      {{{1, 2}, {3}}, "tokens of another model"},
      {json::array({json::array()}), "input: array"},
      {json::array({json::array({"a dog"})}), "input: array"},
      {"zzz", "the model knows no word of 'zzz'"},
      {"", "input: empty"},
      {{"a dog", ""}, "input: empty"},
      {std::string(1001, 'a'), "1001 characters"},
      {std::vector<std::string>(257, "a"), "a list of 257"},
      {nullptr, "input: null"},
      {true, "input: boolean"},
      {{{"words", "a"}}, "an object without text and image"},
      {{json::object()}, "an object without text and image"},
      {{{"text", 3}}, "input: number"},
      {{{"text", "a dog"}, {"image", none}}, "which have a vector each"},
      {{{"image", 3}}, "input: number"},
      {{{"image_url", {{"link", none}}}}, "input: object"},
      {{{"image", "https://example.org/dog.jpg"}}, "an address, which is not fetched"},
      {{{"image", "file:///etc/passwd"}}, "no base64"},
      {{{"image", "data:image/png;base64,!!!!"}}, "no base64"},
      {"data:image/png,GIF89a", "no base64"},
      {"data:image/png;base64,", "no base64"},
      {{{"image", none}}, "expected JPEG"},
      {{data_url(picture), data_url(picture), data_url("no picture")}, "picture 3: "},
      {data_url(picture.substr(0, 40)), "cut off before the picture begins"},
  };
  for (const auto& [input, says] : inputs) {
    EXPECT_THAT(embed(json{{"input", input}}.dump(), 400).dump(), HasSubstr(says));
  }
  for (const auto& [body, says] : std::vector<std::pair<std::string, std::string>>{
           {"", "not valid JSON"},
           {"{", "not valid JSON"},
           {"[\"a dog\"]", "no JSON object"},
           {"{}", "input is missing"},
           {R"({"input":"a","encoding_format":"int8"})", "expected float or base64"},
           {R"({"input":"a","dimensions":3})", "dimensions: 3 (expected 6"},
           {R"({"input":"a","dimensions":"6"})", "dimensions: string (expected 6"},
           {R"({"input":"a","language":3})", "language: number"},
           {"{\"input\":\"\xff\"}", "valid JSON"},
           {std::string(5000, '['), "JSON"}}) {
    EXPECT_THAT(embed(body, 400).dump(), HasSubstr(says)) << body.substr(0, 60);
  }
  // A NUL is no word, and no end.
  EXPECT_EQ(vector_of(std::string("a\0 dog", 6)), sentence_vector(run, "a dog", "en"));
  EXPECT_EQ(client.post("/v1/embeddings", std::string(17 << 20, ' '), "application/json").status,
            413);
  EXPECT_EQ(vector_of("a dog"), sentence_vector(run, "a dog", "en"));  // and it still answers
}

TEST_F(EmbeddingApiTest, SaysWhichModelItIs) {
  const json answer = get("/v1/models");
  EXPECT_EQ(answer["object"], "list");
  ASSERT_EQ(answer["data"].size(), 1U);
  const json& model = answer["data"][0];
  EXPECT_EQ(model["id"], "small");
  EXPECT_EQ(model["object"], "model");
  EXPECT_EQ(model["owned_by"], "hinny");
  EXPECT_TRUE(model["created"].is_number());
  EXPECT_EQ(model["dimension"], 6);
  EXPECT_EQ(model["languages"], json({"de", "en"}));
  EXPECT_EQ(model["system"], "bag");
  EXPECT_EQ(model["hash"], PictureModel::open(run, {}).hash());
  EXPECT_THAT(client.get("/").body, HasSubstr("the model 'small' as an embedding service"));
}

TEST_F(EmbeddingApiTest, WhatStandsWhere) {
  EXPECT_EQ(get("/health")["status"], "ok");
  const HttpAnswer pong = client.get("/ping");
  EXPECT_EQ(pong.body, "pong");
  EXPECT_EQ(pong.header("Content-Type"), "text/plain; charset=utf-8");
  const json api = get("/openapi.json");
  EXPECT_EQ(api["info"]["title"], "Hinny, a model without a collection");
  const std::string page = read_file(std::filesystem::path(HINNY_SOURCE) / "docs/embeddings.md");
  for (const char* path :
       {"/v1/embeddings", "/v1/models", "/predict", "/ping", "/health", "/metrics"}) {
    EXPECT_TRUE(api["paths"].contains(path)) << path;
    EXPECT_THAT(page, HasSubstr(path));
  }
  EXPECT_EQ(api["paths"].size(), 6U);
  for (const char* path : {"/v1/search?q=a+dog", "/v1/collection", "/app.js", "/index.html",
                           "/embedding-openapi.json", "/v1/image/p0"}) {
    EXPECT_THAT(get(path, 404).dump(), HasSubstr("a model without a collection"));
  }
  checked(client.get("/v1/embeddings"), 405, "GET");
  EXPECT_EQ(client.get("/predict").header("Allow"), "POST, OPTIONS");
  embed(R"({"input":"a dog"})");
  EXPECT_THAT(client.get("/metrics").body,
              HasSubstr("hinny_requests_total{route=\"embeddings\",status=\"200\"} 1\n"));
}

TEST_F(EmbeddingApiTest, AKeyIsAskedForWhatCostsOrTells) {
  ServedModel locked(run, "0123456789abcdef");
  auto stranger = locked.server.client();
  for (const char* path : {"/v1/models", "/metrics"}) {
    EXPECT_EQ(stranger.get(path).status, 401) << path;
    EXPECT_EQ(stranger.get(path, {{"Authorization", "Bearer 0123456789abcdef"}}).status, 200);
  }
  for (const char* path : {"/v1/embeddings", "/predict"}) {
    EXPECT_EQ(stranger.post(path, R"({"input":"a dog"})", "application/json").status, 401) << path;
  }
  for (const char* path : {"/", "/ping", "/health", "/openapi.json"}) {
    EXPECT_EQ(stranger.get(path, {{"Host", "photos.example"}}).status, 200) << path;
  }
  EXPECT_EQ(client.get("/ping", {{"Host", "photos.example"}}).status, 403);  // without a key
}

TEST_F(EmbeddingApiTest, WhoAskAtTheSameTimeGetTheirOwn) {
  const std::vector<std::string> files = {picture, picture_file(40, 40, 3),
                                          picture_file(33, 70, 90)};
  const std::vector<std::string> texts = {"a dog", "the beach", "ein hund am strand"};
  std::vector<std::vector<float>> pictures, sentences;
  for (const std::string& file : files) pictures.push_back(picture_vector(run, file));
  for (const std::string& text : texts) sentences.push_back(vector_of(text));
  std::vector<std::jthread> clients;
  for (std::size_t c = 0; c < 6; ++c) {
    clients.emplace_back([&, c] {
      HttpClient one = served.server.client();
      for (std::size_t i = 0; i < 20; ++i) {
        const std::size_t which = (c + i) % files.size();
        const json body = {
            {"input", {data_url(files[which]), texts[which], data_url(files[c % 3])}}};
        const HttpAnswer answer = one.post("/v1/embeddings", body.dump(), "application/json");
        ASSERT_EQ(answer.status, 200) << answer.body;
        const json data = json::parse(answer.body)["data"];
        EXPECT_EQ(data[0]["embedding"].get<std::vector<float>>(), pictures[which]);
        EXPECT_EQ(data[1]["embedding"].get<std::vector<float>>(), sentences[which]);
        EXPECT_EQ(data[2]["embedding"].get<std::vector<float>>(), pictures[c % 3]);
      }
    });
  }
}

}  // namespace
}  // namespace hinny
