#include "index/index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>

#include "base/error.h"
#include "base/threads.h"
#include "encoder/image_encoder.h"
#include "encoder/model_fixture.h"
#include "index/build_index.h"
#include "index/top_hits.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// A model, a dataset of five images with features, and the index of them.
class IndexTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder / "data/features");
    fixture.config["image"]["second"] = fixture.config["image"]["image"];
    fixture.config["text"]["de"]["space"] = "second";
    fixture.config["image"]["second"]["layers"][3]["prefix"] = "image.other";
    fixture.add("image.other.weight", {6, 19});
    fixture.add("image.other.bias", {6});
    fixture.write(folder / "run");
    std::string images;
    std::string captions;
    std::string ids;
    for (const std::string id : {"p0", "p1", "p2", "p3", "p4"}) {
      const std::string file = id == "p3" ? "" : R"(,"file":")" + id + R"(.jpg")";
      images += R"({"image":")" + id + R"(","split":"test")" + file + "}\n";
      captions += R"({"image":")" + id + R"(","lang":"en","text":"a","source":"human-original"})";
      captions += "\n";
      ids += id + "\n";
    }
    write_file(folder / "data/images.jsonl", images);
    write_file(folder / "data/captions.jsonl", captions);
    write_file(folder / "data/features/ids.txt", ids);
    Random random(9);
    rows.resize(5 * 7);
    for (float& number : rows) number = static_cast<float>(random.uniform(-1, 3));
    write_npy(folder / "data/features/f.npy", rows, {5, 7});
  }

  void build(const std::vector<int>& images = {0, 1, 2, 3, 4}) const {
    const Dataset dataset = Dataset::load(folder / "data");
    build_index(Model::open(folder / "run"), dataset, Features::open(dataset, "f"),
                {images, "test", {}, WeightType::float32}, folder / "index");
  }

  ModelFixture fixture;
  std::vector<float> rows;
  const Scratch folder;
};

TEST_F(IndexTest, AnswersAreTheLargestDotProductsInTheLanguagesSpace) {
  build({4, 0, 1, 3});
  fs::remove_all(folder / "run");  // an index needs nothing else
  const Index index = Index::open(folder / "index");
  EXPECT_THAT(index.contents().images, ElementsAre("p4", "p0", "p1", "p3"));
  EXPECT_EQ(index.picture(0), (folder / "data/images/p4.jpg").string());
  EXPECT_EQ(index.picture(3), "");
  TextEncoder encoder(index.model());
  const ImageEncoder images(index.model());
  for (const std::string language : {"de", "en"}) {
    const auto text = encoder.encode("am strand", language);
    const auto vectors = images.encode(rows, language == "de" ? "second" : "image");
    std::vector<std::pair<float, std::size_t>> wanted;
    const int order[] = {4, 0, 1, 3};
    for (std::size_t i = 0; i < 4; ++i) {
      float score = 0;
      for (std::size_t d = 0; d < 6; ++d) {
        score += text.vector[d] * vectors[static_cast<std::size_t>(order[i]) * 6 + d];
      }
      wanted.emplace_back(-score, i);
    }
    std::sort(wanted.begin(), wanted.end());
    const auto hits = index.search(index.query(text, language), 3);
    ASSERT_EQ(hits.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_EQ(hits[i].image, wanted[i].second) << language;
      EXPECT_NEAR(hits[i].score, -wanted[i].first, 1e-5);
    }
  }
}

TEST_F(IndexTest, QueriesOfAnotherModelAreRefused) {
  build();
  const Index index = Index::open(folder / "index");
  TextEncoder encoder(index.model());
  const Query good = index.query(encoder.encode("a dog", "en"), "en");
  Query query = good;
  query.model = "another";
  EXPECT_THAT([&] { index.search(query, 1); },
              ThrowsMessage<InputError>(HasSubstr("from another model")));
  query = good;
  query.vector.push_back(0);
  EXPECT_THAT([&] { index.search(query, 1); },
              ThrowsMessage<InputError>(HasSubstr("a query of 7 numbers")));
  query = good;
  query.space = "third";
  EXPECT_THROW(index.search(query, 1), InputError);
}

TEST_F(IndexTest, EveryMismatchOfAnIndexIsNamed) {
  build();
  const auto replace = [&](const char* from, const char* to) {
    const fs::path path = folder / "index/index.json";
    std::string text = read_file(path);
    text.replace(text.find(from), std::string_view(from).size(), to);
    write_file(path, text);
  };
  struct Fault {
    const char* said;
    std::function<void()> make;
  };
  const std::vector<Fault> faults = {
      {"encoder/ is not the model that made its vectors",
       [&] {
         ModelFixture other(2);
         other.config = fixture.config;
         other.add("image.other.weight", {6, 19});
         other.add("image.other.bias", {6});
         other.write(folder / "index/encoder");
       }},
      {"vectors.npy: shape [10, 6] (expected float32 [8, 6])",
       [&] {
         replace(",\n  \"p4\"", "");
         replace(",\n  \"p4.jpg\"", "");
       }},
      {"files are 4 (expected 5, one for each image)", [&] { replace(",\n  \"p4.jpg\"", ""); }},
      {"files hold '../p0.jpg'", [&] { replace("\"p0.jpg\"", "\"../p0.jpg\""); }},
      {"format is 2", [&] { replace("\"format\": 1", "\"format\": 2"); }},
      {"vectors.npy: shape [9, 6] (expected float32 [10, 6])",
       [&] {
         write_npy(folder / "index/vectors.npy", std::vector<float>(54), {9, 6});
       }},
      {"vectors.npy", [&] { write_file(folder / "index/vectors.npy", "\x93NUMPY"); }},
      {"spaces or dim are not the model's", [&] { replace("\"second\"", "\"seconds\""); }},
      {"no such file", [&] { fs::remove(folder / "index/encoder/vocabulary.tsv"); }},
      {"holds no index", [&] { fs::remove(folder / "index/index.json"); }},
      {"no such folder", [&] { fs::remove_all(folder / "index"); }},
  };
  for (const Fault& fault : faults) {
    build();
    ASSERT_NO_THROW(Index::open(folder / "index"));
    fault.make();
    EXPECT_THAT([&] { Index::open(folder / "index"); },
                ThrowsMessage<InputError>(HasSubstr(fault.said)));
  }
}

TEST_F(IndexTest, BuildingRefusesWhatCannotBeSearchedAndKeepsTheOldIndex) {
  build();
  const std::string before = read_file(folder / "index/index.json");
  EXPECT_THROW(build({}), InputError);
  fixture.tensors["image.out.bias"].numbers[0] = std::numeric_limits<float>::quiet_NaN();
  fixture.write(folder / "run");
  EXPECT_THAT([&] { build(); }, ThrowsMessage<InputError>(HasSubstr("'image.out.bias' holds")));
  write_npy(folder / "data/features/f.npy", std::vector<float>(5 * 8), {5, 8});
  EXPECT_THAT([&] { build(); }, ThrowsMessage<InputError>(HasSubstr(
                                    "features of other sizes: f of 8 (expected as the model was "
                                    "trained on: f of 7)")));
  EXPECT_EQ(read_file(folder / "index/index.json"), before);
}

TEST(TopHits, AreExactInAnyNumberOfThreadsAndTiesGoByPosition) {
  constexpr std::size_t kDim = 33;
  constexpr std::size_t kRows = 150000;  // enough for several threads
  Random random(3);
  std::vector<float> vectors(kRows * kDim), query(kDim);
  for (float& number : vectors) number = static_cast<float>(random.below(3)) - 1.0F;  // many ties
  for (float& number : query) number = static_cast<float>(random.below(3)) - 1.0F;
  vectors[50 * kDim] = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::pair<float, std::size_t>> wanted;
  for (std::size_t row = 0; row < kRows; ++row) {
    float score = 0;
    for (std::size_t d = 0; d < kDim; ++d) score += vectors[row * kDim + d] * query[d];
    if (!std::isnan(score)) wanted.emplace_back(-score, row);
  }
  std::sort(wanted.begin(), wanted.end());
  const int threads = thread_count();
  for (const int count : {1, 3}) {
    set_thread_count(count);
    const auto hits = top_hits(vectors, query, 100);
    ASSERT_EQ(hits.size(), 100U);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      EXPECT_EQ(hits[i].image, wanted[i].second);
      EXPECT_EQ(hits[i].score, -wanted[i].first);
    }
  }
  set_thread_count(threads);
}

TEST(TopHits, MoreThanThereAreAndNone) {
  const std::vector<float> vectors = {1, 2, 3};
  const std::vector<float> query = {2};
  EXPECT_EQ(top_hits(vectors, query, 10).size(), 3U);
  EXPECT_TRUE(top_hits(vectors, query, 0).empty());
  EXPECT_TRUE(top_hits({}, query, 5).empty());
}

}  // namespace
}  // namespace hinny
