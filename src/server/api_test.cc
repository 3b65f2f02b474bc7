#include "server/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "server/api_fixture.h"
#include "server/assets.h"
#include "server/base64.h"
#include "vision/decoding_memory.h"
#include "vision/picture_files_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(ApiTest, SearchAnswersWithPicturesAndHowItUnderstood) {
  const json answer = get("/v1/search?q=a%20dog%20zzz&k=2");
  EXPECT_EQ(answer["query"], "a dog zzz");
  EXPECT_EQ(answer["language"], "en");
  EXPECT_EQ(answer["understood"][0]["unknown_words"], json({"zzz"}));
  ASSERT_EQ(answer["results"].size(), 2U);
  EXPECT_GE(answer["results"][0]["score"], answer["results"][1]["score"]);
  for (const json& hit : answer["results"]) {  // where the folder lies is not told
    EXPECT_EQ(hit.value("file", ""),
              hit["image"] == "p3" ? "" : hit["image"].get<std::string>() + ".jpg");
    EXPECT_EQ(hit.value("relative_file", ""), hit.value("file", ""));
    EXPECT_FALSE(hit.contains("taken"));
    EXPECT_FALSE(hit.contains("copies"));
  }
  EXPECT_EQ(post("/v1/search", R"({"q":"a dog zzz","k":2})"), answer);
}

TEST_F(ApiTest, SeveralQueriesAreAList) {
  const json answer = post("/v1/search", R"({"q":["a dog","ein hund"],"k":5})");
  ASSERT_EQ(answer.size(), 2U);
  EXPECT_EQ(answer[1]["language"], "de");
  EXPECT_EQ(answer[0]["results"].size(), 5U);
  EXPECT_EQ(get("/v1/search?q=a%20dog&q=ein%20hund&k=5"), answer);
  EXPECT_EQ(post("/v1/search", R"({"q":["a dog"]})").size(), 1U);
}

TEST_F(ApiTest, LikeNotAndMinScore) {
  const json found = get("/v1/search?like=p1");
  for (const auto& hit : found["results"]) {
    EXPECT_NE(hit["image"], "p1");
    EXPECT_EQ(hit.contains("url"), hit["image"] != "p3");
  }
  get("/v1/search?like=p1&q=dog&not=beach&image_weight=0.3&not_weight=0.2&lang=en");
  EXPECT_TRUE(get("/v1/search?q=dog&min_score=2")["results"].empty());
  get("/v1/search?like=nobody", 404);
}

TEST_F(ApiTest, PicturesAreUploadedInAFormOrInJson) {
  const std::string file = picture_file(60, 60, 200);
  const json in_json = post("/v1/search", json{{"image", to_base64(file)}, {"k", 3}}.dump());
  EXPECT_EQ(in_json["results"].size(), 3U);
  const std::string form =
      "--xyz\r\nContent-Disposition: form-data; name=\"image\"; filename=\"x.jpg\"\r\n"
      "Content-Type: image/jpeg\r\n\r\n" +
      file + "\r\n--xyz\r\nContent-Disposition: form-data; name=\"k\"\r\n\r\n3\r\n--xyz--\r\n";
  const auto uploaded = client.post("/v1/search", form, "multipart/form-data; boundary=xyz");
  EXPECT_EQ(checked(uploaded, 200, "form"), in_json);
  const std::string data = "data:image/jpeg;base64," + to_base64(file);
  EXPECT_EQ(post("/v1/search", json{{"image", data}, {"k", 3}}.dump()), in_json);
  post("/v1/search", json{{"image", to_base64(file.substr(0, 200))}}.dump(), 400);
  post("/v1/search", json{{"image", "???"}}.dump(), 400);
}

TEST_F(ApiTest, APictureBombIsRefused) {
  // A PNG that says it has 60,000 x 60,000 pixels.
  std::string png(
      "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xEA\x60\0\0\xEA\x60\x08\x02\0\0\0\0\0\0\0"
      "\0\0\0\0IDAT\0\0\0\0\0\0\0\0IEND\xAE\x42\x60\x82",
      57);
  const json answer = post("/v1/search", json{{"image", to_base64(png)}}.dump(), 400);
  EXPECT_THAT(answer.dump(), HasSubstr("60000 x 60000"));
}

TEST_F(ApiTest, WrongRequestsSayWhatIsWrong) {
  const std::string long_text(1000 * 1000, 'a');
  for (const std::string query :
       {"", "?q=", "?q=%20%20", "?q=a&k=0", "?q=a&k=1000000000", "?q=a&k=-1", "?q=a&k=1.5",
        "?q=a&k=ten", "?q=a&min_score=nan", "?q=a&min_score=inf", "?q=a&lang=xx", "?q=%ff%fe",
        "?q=zzz", "?q=a&not_weight=0", "?q=a&rerank=-1", "?q=a&explain=yes", "?q=a&explain=1",
        "?q=a&top=3", "?like=p1&image_weight=-1"}) {
    get("/v1/search" + query, 400);
  }
  for (const std::string& body : std::vector<std::string>{"",
                                                          "{",
                                                          "[]",
                                                          "null",
                                                          "{}",
                                                          R"({"q":1})",
                                                          R"({"q":[1]})",
                                                          R"({"q":null})",
                                                          R"({"q":"a","k":"3"})",
                                                          R"({"q":"a","k":NaN})",
                                                          R"({"q":"a","k":1e9})",
                                                          R"({"q":"a","k":0})",
                                                          R"({"q":"a","min_score":1e999})",
                                                          R"({"q":"a","lang":3})",
                                                          R"({"q":"a","size":3})",
                                                          "{\"q\":\"\xff\"}",
                                                          R"({"q":"\ud800"})",
                                                          R"({"q":""})",
                                                          R"({"q":")" + long_text + R"("})",
                                                          R"({"q":[)" + std::string(10000, '['),
                                                          std::string(1000000, '['),
                                                          R"({"image":[]})"}) {
    post("/v1/search", body, 400);
    post("/v1/embeddings", body, 400);
  }
  EXPECT_THAT(get("/v1/search?q=a&min_scor=3", 400).dump(), HasSubstr("did you mean 'min_score'"));
  get("/nothing", 404);
  checked(client.ask("DELETE", "/v1/search"), 405, "DELETE");
  EXPECT_EQ(client.get("/v1/embeddings").header("Allow"), "POST, OPTIONS");
  get("/v1/search?q=a+dog");  // and it still answers
}

TEST_F(ApiTest, EmbeddingsHaveOpenAisShape) {
  const json answer = post("/v1/embeddings", R"({"input":["a dog","ein hund"],"model":"any"})");
  EXPECT_EQ(answer["object"], "list");
  ASSERT_EQ(answer["data"].size(), 2U);
  EXPECT_EQ(answer["data"][1]["index"], 1);
  EXPECT_EQ(answer["data"][0]["object"], "embedding");
  EXPECT_EQ(answer["data"][0]["embedding"].size(), 6U);
  EXPECT_EQ(answer["usage"]["total_tokens"], 4);
  const json packed =
      post("/v1/embeddings", R"({"input":"a dog","encoding_format":"base64","lang":"en"})");
  const auto bytes = from_base64(packed["data"][0]["embedding"].get<std::string>());
  ASSERT_EQ(bytes->size(), 6 * sizeof(float));
  float first = 0;
  std::memcpy(&first, bytes->data(), sizeof first);
  EXPECT_EQ(first, answer["data"][0]["embedding"][0].get<float>());
  const json named = post("/v1/embeddings", R"({"input":{"text":"a dog"},"language":"en"})");
  EXPECT_EQ(named["data"][0]["embedding"], answer["data"][0]["embedding"]);
  const std::string picture = R"({"input":[{"image":"data:image/png;base64,bm9uZQ=="}]})";
  EXPECT_THAT(post("/v1/embeddings", picture, 400).dump(), HasSubstr("`hinny serve MODEL`"));
  post("/v1/embeddings", R"({"input":"a","encoding_format":"int8"})", 400);
  post("/v1/embeddings", R"({"input":[]})");
  post("/v1/embeddings", R"({"input":"zzz"})", 400);
}

TEST_F(ApiTest, ThumbnailsAreCachedByTheClient) {
  const auto first = client.get("/v1/image/p0?size=32");
  ASSERT_EQ(first.status, 200);
  EXPECT_EQ(first.header("Content-Type"), "image/jpeg");
  const Picture picture = decode_picture(std::as_bytes(std::span(first.body)));
  EXPECT_EQ(picture.width, 32);
  EXPECT_EQ(picture.height, 16);
  const std::string tag = first.header("ETag");
  EXPECT_EQ(client.get("/v1/image/p0?size=32", {{"If-None-Match", tag}}).status, 304);
  EXPECT_EQ(client.get("/v1/image/p0?size=64", {{"If-None-Match", tag}}).status, 200);
  EXPECT_EQ(client.get("/v1/image/p0?size=full").body, read_file(folder / "data/images/p0.jpg"));
  write_file(folder / "data/images/p0.jpg", picture_file(90, 20, 1));
  EXPECT_NE(client.get("/v1/image/p0?size=32").header("ETag"), tag);
  const auto head = client.ask("HEAD", "/v1/image/p0?size=32");
  EXPECT_EQ(head.status, 200);
  EXPECT_TRUE(head.body.empty());
}

// What browsers do not show comes as JPEG, whole too.
TEST_F(ApiTest, OtherFormatsComeAsJpeg) {
  for (const std::string& file : {heic_file(), avif_file(), tiff_file()}) {
    write_file(folder / "data/images/p0.jpg", file);
    for (const auto& [size, width] : {std::pair("16", 16), {"256", 40}, {"full", 40}}) {
      const auto answer = client.get(std::string("/v1/image/p0?size=") + size);
      ASSERT_EQ(answer.status, 200);
      EXPECT_EQ(answer.header("Content-Type"), "image/jpeg");
      const auto bytes = std::as_bytes(std::span(answer.body));
      EXPECT_EQ(picture_format(bytes), PictureFormat::jpeg);
      EXPECT_EQ(decode_picture(bytes).width, width);
    }
  }
  write_file(folder / "data/images/p0.jpg", heic_file().substr(0, 500));
  get("/v1/image/p0?size=full", 404);
  get("/v1/image/p0?size=32", 404);
}

// Decoding waits for memory for so long, and no longer.
TEST_F(ApiTest, TooMuchDecodingIsSaid) {
  set_decoding_wait(std::chrono::milliseconds(20));
  {
    const DecodingMemory all(kMostDecodingBytes);
    const auto check = [](const auto& answer) {
      EXPECT_EQ(answer.status, 503);
      EXPECT_EQ(answer.header("Retry-After"), "1");
      EXPECT_EQ(answer.header("Cache-Control"), "no-store");  // it is another answer soon
      EXPECT_EQ(answer.count("ETag"), 0U);
      EXPECT_THAT(answer.body, HasSubstr("too many pictures are being decoded"));
    };
    check(client.get("/v1/image/p0?size=48"));
    check(client.post("/v1/search", json{{"image", to_base64(picture_file(60, 60, 200))}}.dump(),
                      "application/json"));
  }
  set_decoding_wait(std::chrono::hours(24));
  EXPECT_EQ(client.get("/v1/image/p0?size=48").status, 200);
}

TEST_F(ApiTest, ImagesAreOnlyThoseOfTheIndex) {
  for (const std::string id : {"nobody", "../index.json", "..%2f..%2fetc%2fpasswd", "p0.jpg", "",
                               "%00", "%ff", "/etc/passwd", "p3", "p4"}) {
    get("/v1/image/" + id, 404);
  }
  get("/v1/image/p4?size=full", 404);
  for (const std::string size : {"0", "-1", "5000", "abc", "", "99999999999999999999"}) {
    get("/v1/image/p0?size=" + size, 400);
  }
}

TEST_F(ApiTest, SentencesOfAPicture) {
  const json answer = get("/v1/sentences?image=p3&k=2");
  EXPECT_EQ(answer["image"], "p3");
  ASSERT_EQ(answer["sentences"].size(), 2U);
  EXPECT_EQ(answer["sentences"][0]["language"], "en");
  EXPECT_EQ(answer["sentences"][0]["text"], "a");
  EXPECT_TRUE(answer["sentences"][0]["score"].is_number());
  get("/v1/sentences?image=nobody", 404);
  for (const std::string query :
       {"", "?k=2", "?image=p3&k=0", "?image=p3&k=101", "?image=p3&q=a"}) {
    get("/v1/sentences" + query, 400);
  }
  write_file(index.index() / "sentences.jsonl", "broken");
  get("/v1/sentences?image=p3");  // read once
}

TEST_F(ApiTest, BrokenSentencesAreTheServersFault) {
  write_file(index.index() / "sentences.jsonl", "broken");
  get("/v1/sentences?image=p3", 500);
}

TEST_F(ApiTest, EveryAnswerHasTheHeadersAndItsId) {
  for (const std::string path : {"/", "/health", "/v1/search?q=dog", "/v1/search?q=", "/nothing"}) {
    const auto result = client.get(path, {{"X-Request-Id", "mine-1"}});
    EXPECT_EQ(result.header("X-Content-Type-Options"), "nosniff") << path;
    EXPECT_EQ(result.header("Referrer-Policy"), "no-referrer") << path;
    EXPECT_THAT(result.header("Content-Security-Policy"), HasSubstr("default-src 'none'"));
    EXPECT_EQ(result.count("X-Request-Id"), 1U) << path;
    EXPECT_EQ(result.header("X-Request-Id"), "mine-1") << path;
    EXPECT_EQ(result.count("Access-Control-Allow-Origin"), 0U);
    EXPECT_EQ(result.count("EXCEPTION_WHAT"), 0U);
  }
  EXPECT_NE(client.get("/health", {{"X-Request-Id", "a b\"c"}}).header("X-Request-Id"), "a b\"c");
}

TEST_F(ApiTest, ThePageItsDescriptionAndTheCollection) {
  EXPECT_THAT(client.get("/").body, HasSubstr("<html"));
  for (const auto& [name, bytes] : assets()) {
    if (name == kEmbeddingDescription) continue;
    if (name == "index.html") continue;
    const auto result = client.get("/" + name);
    EXPECT_EQ(result.status, 200) << name;
    EXPECT_EQ(result.body, bytes);
    const std::string tag = result.header("ETag");
    EXPECT_EQ(client.get("/" + name, {{"If-None-Match", tag}}).status, 304);
  }
  const json api = get("/openapi.json");
  for (const char* path : {"/v1/search", "/v1/embeddings", "/v1/image/{id}", "/v1/sentences",
                           "/v1/collection", "/v1/indexes", "/health", "/metrics"}) {
    EXPECT_TRUE(api["paths"].contains(path)) << path;
  }
  const json about = get("/v1/collection");
  EXPECT_EQ(about["images"], 6);
  EXPECT_EQ(about["languages"], json({"de", "en"}));
  EXPECT_EQ(about["asks_with_pictures"], true);
}

TEST_F(ApiTest, MetricsCountByRouteAndStatus) {
  get("/v1/search?q=dog");
  get("/v1/search?q=dog");
  get("/v1/search?q=", 400);
  const std::string text = client.get("/metrics").body;
  EXPECT_THAT(text, HasSubstr("hinny_requests_total{route=\"search\",status=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("hinny_requests_total{route=\"search\",status=\"400\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("hinny_request_seconds_bucket{route=\"search\",le=\"+Inf\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("hinny_index_images 6\n"));
}

TEST_F(ApiTest, OnlyThisMachinesNamesLeadHereWithoutAKey) {
  EXPECT_EQ(client.get("/health", {{"Host", "evil.example"}}).status, 403);
  EXPECT_EQ(client.get("/health", {{"Host", "localhost:99"}}).status, 200);
  EXPECT_EQ(client.get("/health", {{"Host", "[::1]:99"}}).status, 200);
}

}  // namespace
}  // namespace hinny
