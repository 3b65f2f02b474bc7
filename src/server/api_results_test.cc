// Results that stand for several pictures, and results by time.
#include <fmt/format.h>

#include "base/day.h"
#include "index/tree/picture_records.h"
#include "server/api_fixture.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

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
      EXPECT_EQ(copy.value("url", ""), has_file ? "image/" + image : "");
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
          PictureRecords records{index.index().parent_path() / "data/images", "0123", {}};
          for (int i = 0; i < 6; ++i) {
            records.files.push_back(
                {fmt::format("p{}.jpg", i),
                 1,
                 {},
                 "x",
                 {Taken{parse_period(fmt::format("202{}", i % 5))->begin, TakenFrom::exif}},
                 "",
                 ""});
          }
          records.files[2].facts.place = Coordinates{47.3769, 8.5417};
          records.files[2].facts.camera = "NIKON D750";
          records.files[2].facts.exposure = "1/250 s";
          records.files[2].facts.width = 3000;
          records.files[2].facts.height = 4000;
          records.files[2].town = "Zürich, CH";
          records.towns = {{"Zürich, CH", {"Zurigo"}}};
          write_picture_records(index.index(), records);
          write_checksums(index.index());
        }) {}
};

TEST_F(TimesApi, TheNewestOfAllThatScoreHighComeFirst) {
  EXPECT_EQ(get("/v1/collection")["times"], true);
  EXPECT_EQ(get("/v1/collection")["places"], true);
  EXPECT_EQ(get("/v1/collection")["cameras"], json({"NIKON D750"}));
  const json there = get("/v1/search?q=a%20dog&near=47.38,8.54&within=2km&camera=nikon");
  ASSERT_EQ(there["results"].size(), 1U);
  EXPECT_EQ(there["results"][0]["latitude"], 47.3769);
  EXPECT_EQ(there["results"][0]["camera"], "NIKON D750");
  EXPECT_EQ(there["results"][0]["exposure"], "1/250 s");
  EXPECT_EQ(there["results"][0]["width"], 3000);
  EXPECT_EQ(there["results"][0]["height"], 4000);
  EXPECT_EQ(get("/v1/collection")["sizes"], true);
  EXPECT_EQ(get("/v1/search?q=a%20dog&shape=portrait&min_size=12MP&max_size=3000x4000")["results"],
            there["results"]);
  EXPECT_THAT(get("/v1/search?q=a&shape=round", 400).dump(), HasSubstr("landscape"));
  EXPECT_THAT(get("/v1/search?q=a&min_size=12", 400).dump(), HasSubstr("such as 12MP"));
  EXPECT_EQ(get("/v1/collection")["towns"], json({"Zürich, CH"}));
  const json heard = get("/v1/search?q=a%20dog%20in%20Zurigo");
  EXPECT_EQ(heard["heard"], json::parse(R"([{"text": "in Zurigo", "town": "Zurigo"}])"));
  EXPECT_THAT(images_of(heard), ElementsAre(ElementsAre("p2")));
  EXPECT_EQ(heard["results"][0]["town"], "Zürich, CH");
  EXPECT_EQ(get("/v1/search?q=a%20dog&town=z%C3%BCrich")["results"], heard["results"]);
  EXPECT_THAT(get("/v1/search?q=a&near=north", 400).dump(), HasSubstr("LATITUDE,LONGITUDE"));
  EXPECT_THAT(get("/v1/search?q=a&within=2km", 400).dump(), HasSubstr("near as well"));
  const json newest = get("/v1/search?q=a%20dog&sort=time&min_score=-1&k=3");
  EXPECT_THAT(images_of(newest),
              ElementsAre(ElementsAre("p4"), ElementsAre("p3"), ElementsAre("p2")));
  EXPECT_EQ(newest["results"][0]["taken"], "2024-01-01 00:00:00");
  EXPECT_EQ(newest["results"][0]["taken_from"], "exif");
  EXPECT_EQ(newest["results"][0]["file"], "p4.jpg");
  EXPECT_EQ(post("/v1/search", R"({"q":"a dog","sort":"time","min_score":-1,"k":3})"), newest);
  EXPECT_THAT(images_of(get("/v1/search?q=a%20dog&sort=time&min_score=-1&k=2&until=2022")),
              ElementsAre(ElementsAre("p2"), ElementsAre("p1")));
  // Without a least score: the best, in another order.
  const auto best = images_of(get("/v1/search?q=a%20dog&k=3"));
  EXPECT_THAT(images_of(get("/v1/search?q=a%20dog&k=3&sort=time")),
              testing::UnorderedElementsAreArray(best));
}

}  // namespace
}  // namespace hinny
