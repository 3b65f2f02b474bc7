#include "data/drawn/drawn_set.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "data/dataset.h"
#include "data/drawn/grammar.h"
#include "data/drawn/painter.h"
#include "tests/scratch.h"

namespace hinny::drawn {
namespace {
namespace fs = std::filesystem;

struct DrawnSet : testing::Test {
  Scratch root;

  // Every file below a folder with its content.
  static std::map<std::string, std::string> content(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) {
        files[fs::relative(entry.path(), folder)] = read_file(entry.path());
      }
    }
    return files;
  }
};

TEST_F(DrawnSet, SameSeedSameBytes) {
  EXPECT_EQ(draw_set(root / "a", {12, 7}), Outcome::drawn);
  EXPECT_EQ(draw_set(root / "b", {12, 7}), Outcome::drawn);
  const auto first = content(root / "a");
  EXPECT_EQ(first.size(), 12U + 3U);  // pictures, two jsonl files, drawn.json
  EXPECT_EQ(first, content(root / "b"));
  draw_set(root / "c", {12, 8});
  EXPECT_NE(first.at("captions.jsonl"), content(root / "c").at("captions.jsonl"));
}

TEST_F(DrawnSet, LoadsAsADataset) {
  draw_set(root / "set", {20, 1});
  const Dataset dataset = Dataset::load(root / "set");
  EXPECT_EQ(dataset.languages().size(), 10U);
  EXPECT_EQ(dataset.split("train").size(), 14U);
  EXPECT_EQ(dataset.split("val").size(), 2U);
  EXPECT_EQ(dataset.split("test").size(), 4U);
  for (int image = 0; image < 20; ++image) {
    for (int language = 0; language < 10; ++language) {
      std::set<std::string> texts;
      for (const int caption : dataset.captions_of(image, language)) {
        texts.insert(dataset.captions()[static_cast<std::size_t>(caption)].text);
      }
      EXPECT_EQ(texts.size(), kCaptionsPerLanguage);
    }
    EXPECT_TRUE(
        fs::exists(root / "set/images" / dataset.images()[static_cast<std::size_t>(image)].file));
  }
}

TEST_F(DrawnSet, LeavesAnEqualSetAloneAndReplacesAnotherOne) {
  draw_set(root / "set", {12, 1});
  fs::create_directories(root / "set/features");
  write_file(root / "set/features/x.npy", "kept");
  EXPECT_EQ(draw_set(root / "set", {12, 1}), Outcome::already_there);
  EXPECT_TRUE(fs::exists(root / "set/features/x.npy"));
  EXPECT_EQ(draw_set(root / "set", {12, 2}), Outcome::drawn);
  EXPECT_FALSE(fs::exists(root / "set/features/x.npy"));  // of pictures that are gone
}

TEST_F(DrawnSet, NeverOverwritesWhatItDidNotMake) {
  fs::create_directories(root / "empty");
  EXPECT_EQ(draw_set(root / "empty", {10, 1}), Outcome::drawn);

  fs::create_directories(root / "photos");
  write_file(root / "photos/cat.jpg", "precious");
  EXPECT_THROW(draw_set(root / "photos", {10, 1}), InputError);
  write_file(root / "photos/drawn.json", "{}");  // the mark alone does not make it ours
  EXPECT_THROW(draw_set(root / "photos", {10, 1}), InputError);
  EXPECT_EQ(read_file(root / "photos/cat.jpg"), "precious");
  EXPECT_THROW(draw_set(root / "photos/cat.jpg", {10, 1}), InputError);
}

TEST(DrawnSplits, TwoHundredTestPicturesWhereThereAreEnough) {
  std::map<std::string_view, int> large, small;
  for (int i = 0; i < 600; ++i) ++large[split_of(i, 600)];
  for (int i = 0; i < 599; ++i) ++small[split_of(i, 599)];
  EXPECT_EQ(large, (std::map<std::string_view, int>{{"train", 300}, {"val", 100}, {"test", 200}}));
  EXPECT_EQ(small, (std::map<std::string_view, int>{{"train", 421}, {"val", 59}, {"test", 119}}));
}

}  // namespace
}  // namespace hinny::drawn
