#include "server/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/day.h"
#include "index/picture_records.h"
#include "server/assets.h"
#include "server/base64.h"
#include "server/server_fixture.h"
#include "vision/picture_files_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

class ApiTest : public testing::Test {
 protected:
  using Prepare = void (*)(PictureIndex&);
  explicit ApiTest(Prepare prepare = [](PictureIndex&) {})
      : served((prepare(index), index.index())) {}

  // The JSON of the answer, whose status must be `status`.
  json get(const std::string& path, int status = 200) {
    return checked(client.Get(path), status, path);
  }
  json post(const std::string& path, const std::string& body, int status = 200) {
    return checked(client.Post(path, body, "application/json"), status, body.substr(0, 200));
  }
  static json checked(const httplib::Result& result, int status, const std::string& about) {
    EXPECT_TRUE(result) << about;
    if (!result) return {};
    EXPECT_EQ(result->status, status) << about << "\n" << result->body;
    json answer = json::parse(result->body, nullptr, false);
    if (status >= 400) {
      EXPECT_TRUE(answer.contains("/error/message"_json_pointer)) << about << "\n" << result->body;
      EXPECT_TRUE(answer.contains("/error/type"_json_pointer)) << about;
      EXPECT_THAT(result->body, testing::Not(HasSubstr("hinny-test-"))) << "a path of this machine";
    }
    return answer;
  }

  const Scratch folder;
  PictureIndex index{folder};
  ServedIndex served;
  httplib::Client client = served.server.client();
};

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

// The images of results, each with its copies behind it.
std::vector<std::vector<std::string>> images_of(const json& answer) {
  std::vector<std::vector<std::string>> images;
  for (const json& hit : answer["results"]) {
    images.push_back({hit["image"]});
    for (const json& copy : hit.value("copies", json::array())) {
      images.back().push_back(copy["image"]);
      EXPECT_TRUE(copy["score"].is_number());
    }
  }
  return images;
}

struct NearCopiesApi : ApiTest {
  NearCopiesApi() : ApiTest([](PictureIndex& index) { index.make_the_same(1, 5); }) {}
};

TEST_F(NearCopiesApi, AreOneResult) {
  const json plain = get("/v1/search?q=a%20dog&near_copies=0");
  EXPECT_EQ(plain["results"].size(), 6U);
  const json answer = get("/v1/search?q=a%20dog&near_copies=1");
  EXPECT_EQ(post("/v1/search", R"({"q":"a dog","near_copies":true})"), answer);
  const auto images = images_of(answer);
  std::size_t all = 0, together = 0;
  for (const auto& result : images) {
    all += result.size();
    const bool one = testing::Value(result, testing::Contains("p1"));
    EXPECT_EQ(one, testing::Value(result, testing::Contains("p5")));
    together += one ? 1 : 0;
  }
  EXPECT_EQ(all, 6U);
  EXPECT_EQ(together, 1U);
  EXPECT_EQ(images_of(get("/v1/search?q=a%20dog&near_copies=1&k=1")).front(), images.front());
  const json like = get("/v1/search?like=p1&near_copies=1");
  int copies = 0;
  for (const json& hit : like["results"]) {
    for (const json& copy : hit.value("copies", json::array())) {
      const std::string image = copy["image"];
      const bool has_file = image != "p3";
      EXPECT_EQ(copy.value("url", ""), has_file ? "/v1/image/" + image : "");
      EXPECT_EQ(copy.value("file", ""), has_file ? image + ".jpg" : "");
      ++copies;
    }
  }
  EXPECT_GT(copies, 0);
  EXPECT_THAT(get("/v1/search?q=a&near_copies=yes", 400).dump(), HasSubstr("near_copies"));
  post("/v1/search", R"({"q":"a","near_copies":1})", 400);
  post("/v1/search", R"({"q":["a","dog"],"near_copies":true,"k":500})");
  EXPECT_THAT(post("/v1/search", R"({"q":["a","dog"],"near_copies":true,"k":501})", 400).dump(),
              HasSubstr("of all q together"));
}

TEST_F(ApiTest, TimesThatAreNotKnownCannotBeAskedFor) {
  EXPECT_EQ(get("/v1/collection")["times"], false);
  for (const char* query : {"?q=a&sort=time", "?q=a&sort=time&min_score=0", "?q=a&since=2020"}) {
    EXPECT_THAT(get(std::string("/v1/search") + query, 400).dump(),
                HasSubstr("does not know when"));
  }
  for (const char* query : {"?q=a&sort=newest", "?q=a&sort=", "?q=a&sort=Time"}) {
    EXPECT_THAT(get(std::string("/v1/search") + query, 400).dump(), HasSubstr("score or time"));
  }
  post("/v1/search", R"({"q":"a","sort":["time"]})", 400);
}

// Of an index of a folder of pictures; p4 is the newest, p5 as old as p0.
struct TimesApi : ApiTest {
  TimesApi()
      : ApiTest([](PictureIndex& index) {
          PictureRecords records{index.index().parent_path() / "data/images", "", {}};
          for (int i = 0; i < 6; ++i) {
            records.files.push_back({fmt::format("p{}.jpg", i), 1, 0, "x",
                                     parse_period(fmt::format("202{}", i % 5))->begin, ""});
          }
          write_picture_records(index.index(), records);
        }) {}
};

TEST_F(TimesApi, TheNewestOfAllThatScoreHighComeFirst) {
  EXPECT_EQ(get("/v1/collection")["times"], true);
  const json newest = get("/v1/search?q=a%20dog&sort=time&min_score=-1&k=3");
  EXPECT_THAT(images_of(newest),
              ElementsAre(ElementsAre("p4"), ElementsAre("p3"), ElementsAre("p2")));
  EXPECT_EQ(newest["results"][0]["taken"], "2024-01-01 00:00:00");
  EXPECT_EQ(newest["results"][0]["file"], "p4.jpg");
  EXPECT_EQ(post("/v1/search", R"({"q":"a dog","sort":"time","min_score":-1,"k":3})"), newest);
  EXPECT_THAT(images_of(get("/v1/search?q=a%20dog&sort=time&min_score=-1&k=2&until=2022")),
              ElementsAre(ElementsAre("p2"), ElementsAre("p1")));
  // Without a least score: the best, in another order.
  const auto best = images_of(get("/v1/search?q=a%20dog&k=3"));
  EXPECT_THAT(images_of(get("/v1/search?q=a%20dog&k=3&sort=time")),
              testing::UnorderedElementsAreArray(best));
}

TEST_F(ApiTest, PicturesAreUploadedInAFormOrInJson) {
  const std::string file = picture_file(60, 60, 200);
  const json in_json = post("/v1/search", json{{"image", to_base64(file)}, {"k", 3}}.dump());
  EXPECT_EQ(in_json["results"].size(), 3U);
  const httplib::MultipartFormDataItems form = {{"image", file, "x.jpg", "image/jpeg"},
                                                {"k", "3", "", ""}};
  EXPECT_EQ(checked(client.Post("/v1/search", form), 200, "form"), in_json);
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
  checked(client.Delete("/v1/search"), 405, "DELETE");
  EXPECT_EQ(client.Get("/v1/embeddings")->get_header_value("Allow"), "POST");
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
  post("/v1/embeddings", R"({"input":"a","encoding_format":"int8"})", 400);
  post("/v1/embeddings", R"({"input":[]})");
  post("/v1/embeddings", R"({"input":"zzz"})", 400);
}

TEST_F(ApiTest, ThumbnailsAreCachedByTheClient) {
  const auto first = client.Get("/v1/image/p0?size=32");
  ASSERT_EQ(first->status, 200);
  EXPECT_EQ(first->get_header_value("Content-Type"), "image/jpeg");
  const Picture picture = decode_picture(std::as_bytes(std::span(first->body)));
  EXPECT_EQ(picture.width, 32);
  EXPECT_EQ(picture.height, 16);
  const std::string tag = first->get_header_value("ETag");
  EXPECT_EQ(client.Get("/v1/image/p0?size=32", {{"If-None-Match", tag}})->status, 304);
  EXPECT_EQ(client.Get("/v1/image/p0?size=64", {{"If-None-Match", tag}})->status, 200);
  EXPECT_EQ(client.Get("/v1/image/p0?size=full")->body, read_file(folder / "data/images/p0.jpg"));
  write_file(folder / "data/images/p0.jpg", picture_file(90, 20, 1));
  EXPECT_NE(client.Get("/v1/image/p0?size=32")->get_header_value("ETag"), tag);
  const auto head = client.Head("/v1/image/p0?size=32");
  EXPECT_EQ(head->status, 200);
  EXPECT_TRUE(head->body.empty());
}

// What browsers do not show comes as JPEG, whole too.
TEST_F(ApiTest, OtherFormatsComeAsJpeg) {
  for (const std::string& file : {heic_file(), avif_file(), tiff_file()}) {
    write_file(folder / "data/images/p0.jpg", file);
    for (const auto& [size, width] : {std::pair("16", 16), {"256", 40}, {"full", 40}}) {
      const auto answer = client.Get(std::string("/v1/image/p0?size=") + size);
      ASSERT_EQ(answer->status, 200);
      EXPECT_EQ(answer->get_header_value("Content-Type"), "image/jpeg");
      const auto bytes = std::as_bytes(std::span(answer->body));
      EXPECT_EQ(picture_format(bytes), PictureFormat::jpeg);
      EXPECT_EQ(decode_picture(bytes).width, width);
    }
  }
  write_file(folder / "data/images/p0.jpg", heic_file().substr(0, 500));
  get("/v1/image/p0?size=full", 404);
  get("/v1/image/p0?size=32", 404);
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
    const auto result = client.Get(path, {{"X-Request-Id", "mine-1"}});
    EXPECT_EQ(result->get_header_value("X-Content-Type-Options"), "nosniff") << path;
    EXPECT_EQ(result->get_header_value("Referrer-Policy"), "no-referrer") << path;
    EXPECT_THAT(result->get_header_value("Content-Security-Policy"),
                HasSubstr("default-src 'none'"));
    EXPECT_EQ(result->get_header_value_count("X-Request-Id"), 1U) << path;
    EXPECT_EQ(result->get_header_value("X-Request-Id"), "mine-1") << path;
    EXPECT_FALSE(result->has_header("Access-Control-Allow-Origin"));
    EXPECT_FALSE(result->has_header("EXCEPTION_WHAT"));
  }
  EXPECT_NE(client.Get("/health", {{"X-Request-Id", "a b\"c"}})->get_header_value("X-Request-Id"),
            "a b\"c");
}

TEST_F(ApiTest, ThePageItsDescriptionAndTheCollection) {
  EXPECT_THAT(client.Get("/")->body, HasSubstr("<html"));
  for (const auto& [name, bytes] : assets()) {
    if (name == "index.html") continue;
    const auto result = client.Get("/" + name);
    EXPECT_EQ(result->status, 200) << name;
    EXPECT_EQ(result->body, bytes);
    const std::string tag = result->get_header_value("ETag");
    EXPECT_EQ(client.Get("/" + name, {{"If-None-Match", tag}})->status, 304);
  }
  const json api = get("/openapi.json");
  for (const char* path : {"/v1/search", "/v1/embeddings", "/v1/image/{id}", "/v1/sentences",
                           "/v1/collection", "/health", "/metrics"}) {
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
  const std::string text = client.Get("/metrics")->body;
  EXPECT_THAT(text, HasSubstr("hinny_requests_total{route=\"search\",status=\"200\"} 2\n"));
  EXPECT_THAT(text, HasSubstr("hinny_requests_total{route=\"search\",status=\"400\"} 1\n"));
  EXPECT_THAT(text, HasSubstr("hinny_request_seconds_bucket{route=\"search\",le=\"+Inf\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("hinny_index_images 6\n"));
}

TEST_F(ApiTest, OnlyThisMachinesNamesLeadHereWithoutAKey) {
  EXPECT_EQ(client.Get("/health", {{"Host", "evil.example"}})->status, 403);
  EXPECT_EQ(client.Get("/health", {{"Host", "localhost:99"}})->status, 200);
  EXPECT_EQ(client.Get("/health", {{"Host", "[::1]:99"}})->status, 200);
}

TEST(ApiKey, IsAskedForEverythingThatTellsOfThePictures) {
  const Scratch folder;
  const PictureIndex index(folder);
  ServedIndex served(index.index(), "0123456789abcdef");
  auto client = served.server.client();
  for (const std::string path :
       {"/v1/search?q=dog", "/v1/image/p0", "/v1/collection", "/metrics"}) {
    const auto refused = client.Get(path);
    EXPECT_EQ(refused->status, 401) << path;
    EXPECT_EQ(refused->get_header_value("WWW-Authenticate"), "Bearer");
    for (const std::string wrong : {"Bearer 0123456789abcdeF", "Bearer 0123456789abcde",
                                    "Bearer 0123456789abcdef0", "0123456789abcdef", "Bearer "}) {
      EXPECT_EQ(client.Get(path, {{"Authorization", wrong}})->status, 401) << wrong;
    }
    EXPECT_EQ(client.Get(path, {{"Authorization", "Bearer 0123456789abcdef"}})->status, 200)
        << path;
  }
  for (const std::string path : {"/", "/app.js", "/health", "/openapi.json"}) {
    EXPECT_EQ(client.Get(path, {{"Host", "pictures.example"}})->status, 200) << path;
  }
}

TEST(Reload, TakesUpAChangedIndexAndKeepsTheOldOneWhenItIsBroken) {
  const Scratch folder;
  const PictureIndex index(folder);
  ServedIndex served(index.index());
  auto client = served.server.client();
  const auto wait_for = [&](const std::atomic<std::int64_t>& count) {
    for (int i = 0; i < 3000 && count == 0; ++i) {
      EXPECT_EQ(client.Get("/v1/search?q=a%20dog")->status,
                200);  // not one request fails meanwhile
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    EXPECT_EQ(count, 1);
  };
  index.build({2, 1});
  wait_for(served.metrics.reloads);
  EXPECT_EQ(json::parse(client.Get("/v1/collection")->body)["images"], 2);
  EXPECT_EQ(client.Get("/v1/image/p0")->status, 404);
  write_file(index.index() / "index.json", "{}");
  wait_for(served.metrics.failed_reloads);
  EXPECT_EQ(json::parse(client.Get("/v1/collection")->body)["images"], 2);
}

}  // namespace
}  // namespace hinny
