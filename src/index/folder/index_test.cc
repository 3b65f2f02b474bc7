#include "index/folder/index.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/read_file.h"
#include "encoder/image_encoder.h"
#include "index/asking/sentences.h"
#include "index/folder/index_fixture.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

using IndexTest = IndexFixture;

TEST_F(IndexTest, AnswersAreTheLargestDotProductsInTheLanguagesSpace) {
  build({4, 0, 1, 3});
  fs::remove_all(folder / "run");  // an index needs nothing else
  const Index index = Index::open(folder / "index");
  EXPECT_THAT(index.contents().images.strings(), ElementsAre("p4", "p0", "p1", "p3"));
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

// The order is that of corrected scores; what is shown, and the vectors, are as without.
TEST_F(IndexTest, HubsStandFurtherBehind) {
  build({0, 1, 2, 3, 4}, "plain");
  const HubBank bank = remember();
  build();
  const Index plain = Index::open(folder / "plain"), index = Index::open(folder / "index");
  EXPECT_FALSE(plain.contents().hubs);
  TextEncoder encoder(index.model());
  bool changed = false;
  for (const std::string language : {"de", "en"}) {
    const std::string space = language == "de" ? "second" : "image";
    Query query = index.query(encoder.encode("am strand", language), language);
    std::vector<std::pair<float, std::size_t>> wanted;
    std::vector<float> cosines;
    for (std::size_t i = 0; i < index.size(); ++i) {
      const std::vector<float> vector = index.vector(i, space);
      EXPECT_EQ(vector, plain.vector(i, space));
      cosines.push_back(
          std::inner_product(vector.begin(), vector.end(), query.vector.begin(), 0.0F));
      const auto penalty = hub_penalties(bank, bank.spaces.at(space).captions, {vector, 1, 6});
      wanted.emplace_back(-cosines[i] - penalty.front(), i);
    }
    std::ranges::sort(wanted);
    const auto hits = index.search(query, index.size());
    const auto as_before = plain.search(query, plain.size());
    for (std::size_t i = 0; i < index.size(); ++i) {
      EXPECT_EQ(hits[i].image, wanted[i].second) << language;
      EXPECT_NEAR(hits[i].score, cosines[hits[i].image], 1e-5);
      changed |= hits[i].image != as_before[i].image;
    }
    query.corrected = false;  // a picture that was asked with
    const auto likeness = index.search(query, index.size());
    for (std::size_t i = 0; i < index.size(); ++i) {
      EXPECT_EQ(likeness[i].image, as_before[i].image);
      EXPECT_NEAR(likeness[i].score, as_before[i].score, 1e-5);
    }
  }
  EXPECT_TRUE(changed) << "the made-up hubs change nothing: choose others";
}

// Sentences near every picture, where pictures ask: kept ones and given ones alike.
TEST_F(IndexTest, SentencesThatFitEverythingStandFurtherBehind) {
  const HubBank bank = remember();
  std::string captions = read_file(folder / "data/captions.jsonl");
  for (const char* text : {"am strand", "ein hund", "hund läuft", "strand"}) {
    captions += fmt::format(R"({{"image":"p0","lang":"de","text":"{}","source":"human-original"}})"
                            "\n",
                            text);
  }
  write_file(folder / "data/captions.jsonl", captions);
  build();
  const Index index = Index::open(folder / "index");
  const StoredSentences kept(index);
  TextEncoder encoder(index.model());
  bool changed = false;
  for (std::size_t image = 0; image < index.size(); ++image) {
    const auto hits = kept.nearest(index, image, 100);
    std::vector<std::string> german;
    float last = std::numeric_limits<float>::infinity(), last_score = last;
    for (const SentenceHit& hit : hits) {
      if (hit.language != "de") continue;
      const std::vector<float> vector = encoder.encode(hit.text, "de").vector;
      const std::vector<float> picture = index.vector(image, "second");
      EXPECT_NEAR(hit.score,
                  std::inner_product(vector.begin(), vector.end(), picture.begin(), 0.0F), 1e-5);
      const float order =
          hit.score + hub_penalties(bank, bank.spaces.at("second").images, {vector, 1, 6}).front();
      EXPECT_LE(order, last + 1e-5F);
      changed |= hit.score > last_score + 1e-5F;
      last = order, last_score = hit.score;
      german.push_back(hit.text);
    }
    ASSERT_GE(german.size(), 3U);
    const auto again = best_sentences(index, image, german, "de", german.size());
    for (std::size_t i = 0; i < again.size(); ++i) EXPECT_EQ(again[i].text, german[i]);
  }
  EXPECT_TRUE(changed) << "the made-up hubs change nothing: choose others";
}

TEST_F(IndexTest, HubsOfAnotherModelAreRefused) {
  HubBank bank = remember();
  bank.spaces.erase("second");
  write_hubs(folder / "run" / kHubsFile, bank);
  EXPECT_THAT([&] { build(); }, ThrowsMessage<InputError>(HasSubstr("nothing of space 'second'")));
  bank = {4, 0.1, 2, {{"image", {{0, 0, 0, 1}, {1, 0, 0, 0}}}}};
  write_hubs(folder / "run" / kHubsFile, bank);
  EXPECT_THAT([&] { build(); }, ThrowsMessage<InputError>(HasSubstr("another shape")));
}

TEST_F(IndexTest, FindsAnImageByItsId) {
  build({4, 0, 2});
  Index first = Index::open(folder / "index");
  EXPECT_EQ(first.find("p0"), 1U);
  const Index index = std::move(first);  // what was found out goes with it
  EXPECT_EQ(index.find("p4"), 0U);
  EXPECT_EQ(index.find("p0"), 1U);
  EXPECT_EQ(index.find("p2"), 2U);
  for (const char* none : {"p1", "p", "", "p00"}) EXPECT_FALSE(index.find(none)) << none;
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

// The scales then lie at an address that is no multiple of four.
TEST_F(IndexTest, AnyNumberOfImagesCanBeOpened) {
  fixture.config["image"].erase("second");
  fixture.config["text"]["de"]["space"] = "image";
  fixture.write(folder / "run");
  for (std::size_t count = 1; count <= 5; ++count) {
    std::vector<int> images(count);
    std::iota(images.begin(), images.end(), 0);
    build(images);
    const Index index = Index::open(folder / "index");
    TextEncoder encoder(index.model());
    const Query query = index.query(encoder.encode("a dog", "en"), "en");
    EXPECT_EQ(index.search(query, 9).size(), count);
  }
}

// As `hinny index` makes them for large collections.
TEST_F(IndexTest, GraphsAnswerAsTheScanDoes) {
  build();
  add_graphs(folder / "index");
  const Index by_scan = Index::open(folder / "index");
  const Index by_graph = Index::open(folder / "index", Method::graph);
  TextEncoder encoder(by_scan.model());
  for (const std::string language : {"de", "en"}) {
    const Query query = by_scan.query(encoder.encode("am strand", language), language);
    const auto wanted = by_scan.search(query, 3);
    const auto found = by_graph.search(query, 3);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(found[i].image, wanted[i].image) << language;
  }
  write_file(folder / "index" / graph_file(1), "none");
  EXPECT_NO_THROW(Index::open(folder / "index"));
  EXPECT_THAT([&] { Index::open(folder / "index", Method::graph); },
              ThrowsMessage<InputError>(HasSubstr("graph-1.hnsw")));
}

TEST_F(IndexTest, EveryMismatchOfAnIndexIsNamed) {
  build();
  const auto as_before = [&] { with_names_in_contents(folder / "index"); };
  const auto replace = [&](const char* from, const char* to) {
    const fs::path path = folder / "index/index.json";
    std::string text = read_file(path);
    text.replace(text.find(from), std::string_view(from).size(), to);
    write_file(path, text);
  };
  const auto drop_last = [&](std::initializer_list<const char*> lists) {
    const fs::path path = folder / "index/index.json";
    auto json = nlohmann::ordered_json::parse(read_file(path));
    for (const char* list : lists) json[list].erase(4);
    write_file(path, json.dump());
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
         as_before();
         drop_last({"images", "files", "digests"});
       }},
      {"digests are 4 (expected 5, one for each image)",
       [&] { as_before(), drop_last({"digests"}); }},
      {"scan.safetensors: shape [9, 6] (expected int8 [10, 6])",
       [&] {
         const std::vector<std::int8_t> rows(54);
         const std::vector<float> scales(9);
         write_safetensors(
             folder / "index/scan.safetensors",
             {{"rows", {TensorType::int8, {9, 6}, std::as_bytes(std::span(rows))}},
              {"rows.scale", {TensorType::float32, {9}, std::as_bytes(std::span(scales))}}});
       }},
      {"scan.safetensors", [&] { fs::resize_file(folder / "index/scan.safetensors", 100); }},
      {"no tensor 'codes'", [&] { replace("\"graphs\"", "\"codes\": 2,\n \"graphs\""); }},
      {"codes are 3 bits (expected 1, 2, 4 or 8)",
       [&] { replace("\"graphs\"", "\"codes\": 3,\n \"graphs\""); }},
      {"files are 4 (expected 5, one for each image)", [&] { as_before(), drop_last({"files"}); }},
      {"files hold '../p0.jpg'", [&] { as_before(), replace("\"p0.jpg\"", "\"../p0.jpg\""); }},
      {"format is 1", [&] { replace("\"format\": 5", "\"format\": 1"); }},
      {"has a key 'films'", [&] { replace("\"format\": 5", "\"format\": 4"); }},
      {"has a key 'digests'", [&] { as_before(), replace("\"format\": 4", "\"format\": 5"); }},
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
    without_checksums();
    fault.make();
    EXPECT_THAT([&] { Index::open(folder / "index"); },
                ThrowsMessage<InputError>(HasSubstr(fault.said)));
  }
}

TEST(CodesOfAnIndex, AreChosenBySizeUnlessAskedFor) {
  EXPECT_EQ(codes_for({}, 0), kInt8);
  EXPECT_EQ(codes_for({}, kMostInt8), kInt8);
  EXPECT_EQ(codes_for({}, kMostInt8 + 1), kLargeCodes);
  EXPECT_EQ(codes_for(1, 5), 1);
  EXPECT_EQ(codes_for(kInt8, kMostInt8 + 1), kInt8);
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

}  // namespace
}  // namespace hinny
