// Several indexes behind one server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.h"
#include "server/server_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class SeveralIndexes : public testing::Test {
 protected:
  json get(const std::string& path, int status = 200) {
    const HttpAnswer answer = client.get(path);
    EXPECT_EQ(answer.status, status) << path << "\n" << answer.body;
    return json::parse(answer.body, nullptr, false);
  }
  static std::string message(const json& answer) { return answer["error"]["message"]; }

  const Scratch first_folder, second_folder;
  PictureIndex first{first_folder}, second{second_folder};
  Metrics metrics;
  Collection whole{first.index(), served_collection()};
  Collection half{(second.build({4, 5}), second.index()), served_collection()};
  Metrics::Index &figures = metrics.add_index("whole"),
                 &half_figures = metrics.add_index("a \"b\"");
  CollectionWatch watch{whole, first.index(), figures, std::chrono::milliseconds(20)};
  CollectionWatch half_watch{half, second.index(), half_figures, std::chrono::milliseconds(20)};
  Api api{{{"whole", whole}, {"a \"b\"", half}}, metrics, {}};
  Exchange exchange{[this](const HttpRequest& request) { return api.find(request); }, metrics,
                    false};
  RunningServer server{
      {}, metrics, [this](const HttpRequest& request) { return exchange.answer(request); }};
  HttpClient client = server.client();
  const std::string below = "/indexes/a%20%22b%22";
};

TEST_F(SeveralIndexes, AreListedWithTheirAddressesAndSizes) {
  const json all = get("/v1/indexes")["indexes"];
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0], (json{{"name", "whole"}, {"url", "../indexes/whole/"}, {"images", 6}}));
  EXPECT_EQ(all[1], (json{{"name", "a \"b\""}, {"url", ".." + below + "/"}, {"images", 2}}));
  EXPECT_EQ(get(below + "/v1/indexes")["indexes"][0]["url"], "../../whole/");
}

TEST_F(SeveralIndexes, EachIsAskedBelowItsName) {
  EXPECT_EQ(get("/v1/collection")["images"], 6);  // the first, where none is named
  EXPECT_EQ(get("/v1/collection"), get("/indexes/whole/v1/collection"));
  EXPECT_EQ(get("/v1/collection")["name"], "whole");
  EXPECT_EQ(get(below + "/v1/collection")["images"], 2);
  EXPECT_EQ(get(below + "/v1/collection")["name"], "a \"b\"");
  EXPECT_EQ(get("/v1/search?q=a")["results"].size(), 6U);
  EXPECT_EQ(get(below + "/v1/search?q=a")["results"].size(), 2U);
  EXPECT_EQ(json::parse(client.post(below + "/v1/search", R"({"q":"a"})", "application/json").body),
            get(below + "/v1/search?q=a"));
  EXPECT_EQ(client.post(below + "/v1/embeddings", R"({"input":"a"})", "application/json").status,
            200);
  EXPECT_EQ(client.get("/v1/image/p0?size=16").status, 200);
  get(below + "/v1/image/p0?size=16", 404);
  EXPECT_EQ(client.get(below + "/v1/image/p5?size=16").status, 200);
  EXPECT_EQ(client.get(below + "/image/p5?size=16").status, 200);
  get("/v1/sentences?image=p0");
  get(below + "/v1/sentences?image=p0", 404);
  for (const std::string path : {"/", "/app.js", "/openapi.json"}) {
    EXPECT_EQ(client.get(below + path).body, client.get(path).body) << path;
  }
  get(below + "/nothing", 404);
}

TEST_F(SeveralIndexes, AnUnknownNameIsRefusedWithThoseThatThereAre) {
  for (const std::string path :
       {"/indexes/hole/", "/indexes/hole/v1/search?q=a", "/indexes/hole"}) {
    EXPECT_EQ(message(get(path, 404)),
              "no index 'hole' (did you mean 'whole'?) (expected one of whole, a \"b\")");
  }
  get("/indexes/", 404);
  get("/indexes//", 404);
  get("/indexes/%ff%00/v1/collection", 404);
}

TEST_F(SeveralIndexes, TheSlashBehindANameIsFoundAgain) {
  const HttpAnswer answer = client.get(below + "?q=a%20dog");
  EXPECT_EQ(answer.status, 308);
  EXPECT_EQ(answer.header("Location"), "a%20%22b%22/?q=a%20dog");
  EXPECT_EQ(client.get("/indexes/whole").header("Location"), "whole/");
}

TEST_F(SeveralIndexes, EachIsReloadedAndCountedByItself) {
  EXPECT_THAT(client.get("/metrics").body, HasSubstr("hinny_index_images{index=\"whole\"} 6\n"));
  second.build({1, 2, 3});
  for (int i = 0; i < 3000 && half_figures.reloads == 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_EQ(get(below + "/v1/collection")["images"], 3);
  EXPECT_EQ(get("/v1/collection")["images"], 6);
  const std::string text = client.get("/metrics").body;
  EXPECT_THAT(text, HasSubstr("hinny_index_images{index=\"a \\\"b\\\"\"} 3\n"));
  EXPECT_THAT(text, HasSubstr("hinny_index_reloads_total{index=\"whole\"} 0\n"));
  EXPECT_THAT(text, HasSubstr("hinny_index_reloads_total{index=\"a \\\"b\\\"\"} 1\n"));
}

TEST_F(SeveralIndexes, AreHealthyTogetherAndAlone) {
  get("/health");
  get(below + "/health");
  get("/indexes/whole/health");
}

// Names tell of people's pictures.
TEST(SeveralIndexesWithAKey, NameNobodyWithoutIt) {
  const Scratch folder;
  const PictureIndex index(folder);
  ServedIndex served(index.index(), "0123456789abcdef");
  auto client = served.server.client();
  for (const std::string path : {"/v1/indexes", "/indexes/other/", "/indexes/other/health"}) {
    const HttpAnswer refused = client.get(path);
    EXPECT_EQ(refused.status, 401) << path;
    EXPECT_THAT(refused.body, testing::Not(HasSubstr("'index'"))) << path;
    const int status = path == "/v1/indexes" ? 200 : 404;
    EXPECT_EQ(client.get(path, {{"Authorization", "Bearer 0123456789abcdef"}}).status, status);
  }
  EXPECT_EQ(client.get("/indexes/index/").status, 200);
  EXPECT_EQ(client.get("/indexes/other/", {{"Host", "pictures.example"}}).status, 401);
}

}  // namespace
}  // namespace hinny
