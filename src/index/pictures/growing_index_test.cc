// A new index, while it is being made.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/read_file.h"
#include "index/asking/collection.h"
#include "index/folder/growing.h"
#include "index/pictures/index_pictures_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

class GrowingIndex : public IndexPictures {
 protected:
  void SetUp() override {
    IndexPictures::SetUp();
    build();
    put("a.jpg", "0");
    put("b.jpg", "1");
    put("bad.jpg", "zzz");
    put("c.jpg", "2");
    growing_pause_ = {std::chrono::milliseconds(0), 0};
    before_reading_ = [this](const fs::path&) {
      if (!fs::exists(index())) return;
      const CollectionFacts facts = Collection(index()).facts();
      seen_.emplace_back(facts.images, facts.expected);
    };
  }
  std::map<std::string, std::string> bytes() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(index())) {
      if (!entry.is_regular_file()) continue;
      all[entry.path().lexically_relative(index())] = read_file(entry.path());
    }
    return all;
  }

  std::vector<std::pair<std::size_t, std::size_t>> seen_;  // images, and how many there are to be
};

TEST_F(GrowingIndex, IsSearchedBeforeItIsWhole) {
  run();
  EXPECT_THAT(seen_, ElementsAre(Pair(1, 4), Pair(2, 4), Pair(2, 4)));
  expect_vectors({{"a.jpg", 0}, {"b.jpg", 1}, {"c.jpg", 2}});
  EXPECT_EQ(expected_images(index()), 0U);
  const auto grown = bytes();
  fs::remove_all(index());
  seen_.clear();
  growing_pause_.least = std::chrono::hours(1);
  run();
  EXPECT_THAT(seen_, IsEmpty());
  EXPECT_EQ(bytes(), grown);
}

TEST_F(GrowingIndex, GoesOnWhereItWasStopped) {
  EXPECT_THROW(run(2), Interrupted);
  expect_vectors({{"a.jpg", 0}, {"b.jpg", 1}});
  EXPECT_EQ(expected_images(index()), 4U);
  seen_.clear();
  const PictureReport report = run();
  EXPECT_THAT(encoded_, ElementsAre("bad.jpg", "c.jpg"));
  EXPECT_THAT(seen_, ElementsAre(Pair(2, 4), Pair(2, 4)));
  EXPECT_EQ(report.images, 3U);
  expect_vectors({{"a.jpg", 0}, {"b.jpg", 1}, {"c.jpg", 2}});
  EXPECT_EQ(expected_images(index()), 0U);
}

TEST_F(GrowingIndex, IsWholeWhenNothingIsLeftToCome) {
  EXPECT_THROW(run(2), Interrupted);
  fs::remove(root() / "bad.jpg");
  fs::remove(root() / "c.jpg");
  EXPECT_EQ(run().kept, 2U);
  EXPECT_THAT(encoded_, IsEmpty());
  EXPECT_EQ(expected_images(index()), 0U);
}

// So many files that they are read by turns: copies in other turns are known again.
TEST_F(GrowingIndex, IsReadAndEncodedByTurns) {
  growing_pause_ = {};
  constexpr int kFiles = 2500;
  for (int i = 0; i < kFiles; ++i) put(fmt::format("many/{:04}.jpg", i), std::to_string(i % 5));
  const PictureReport report = run();
  EXPECT_EQ(report.images, kFiles + 3U);
  EXPECT_EQ(report.encoded, 5U);
  EXPECT_EQ(encoded_.size(), 6U);  // with what is broken
  EXPECT_EQ(run().kept, kFiles + 3U);
}

// Nobody misses a picture because others are new.
TEST_F(GrowingIndex, AnIndexThatIsThereStaysToTheEnd) {
  run();
  put("d.jpg", "3");
  put("e.jpg", "4");
  seen_.clear();
  run();
  EXPECT_THAT(seen_, ElementsAre(Pair(3, 0), Pair(3, 0)));
  expect_vectors({{"a.jpg", 0}, {"b.jpg", 1}, {"c.jpg", 2}, {"d.jpg", 3}, {"e.jpg", 4}});
}

TEST_F(GrowingIndex, SaysSoInAFileThatIsReadStrictly) {
  run();
  for (const char* wrong : {"", "{}", "[]", R"({"expected": 0})", R"({"expected": -1})",
                            R"({"expected": 1.5})", R"({"expected": 3, "more": 1})"}) {
    write_file(index() / kGrowingFile, wrong);
    EXPECT_THROW(expected_images(index()), InputError) << wrong;
  }
}

}  // namespace
}  // namespace hinny
