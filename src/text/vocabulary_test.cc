#include "text/vocabulary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

class VocabularyFile : public ::testing::Test {
 protected:
  Scratch folder_;
  std::filesystem::path path_ = folder_ / "words.tsv";
};

TEST(Vocabulary, OrdersByCountThenBytesAndKeepsTheFrequent) {
  const WordCounts counts = {{"dog", 5}, {"cat", 5}, {"a", 9}, {"rare", 1}, {"Zoo", 5}};
  const Vocabulary vocabulary = Vocabulary::build(counts, 2);
  ASSERT_EQ(vocabulary.size(), kFirstWord + 4);
  const std::vector<std::string> expected = {"a", "Zoo", "cat", "dog"};
  for (std::int32_t i = 0; i < 4; ++i) {
    EXPECT_EQ(vocabulary.word(kFirstWord + i), expected[static_cast<std::size_t>(i)]);
    EXPECT_EQ(vocabulary.id(vocabulary.word(kFirstWord + i)), kFirstWord + i);
  }
  EXPECT_EQ(vocabulary.count(kFirstWord), 9);
  EXPECT_EQ(vocabulary.id("rare"), kUnknown);
  EXPECT_EQ(vocabulary.id(vocabulary.word(kPad)), kUnknown);  // a caption cannot say padding
  EXPECT_THROW(Vocabulary::build(counts, 10), InputError);
}

TEST(Vocabulary, FindsEachOfManyWords) {
  constexpr std::int32_t kWords = 50'000;
  Vocabulary vocabulary;
  for (std::int32_t i = 0; i < kWords; ++i) vocabulary.add(std::to_string(i), i);
  EXPECT_EQ(vocabulary.try_add("7", 1), std::nullopt);
  EXPECT_THROW(vocabulary.add("7", 1), std::invalid_argument);
  EXPECT_EQ(vocabulary.size(), kFirstWord + kWords);
  for (std::int32_t i = 0; i < kWords; ++i) {
    ASSERT_EQ(vocabulary.id(std::to_string(i)), kFirstWord + i);
    ASSERT_FALSE(vocabulary.contains(std::to_string(-1 - i)));
  }
}

TEST_F(VocabularyFile, RoundTripGivesEqualBytes) {
  Vocabularies vocabularies;
  vocabularies["de"] = Vocabulary::build({{"straße", 3}, {"hund", 7}}, 1);
  vocabularies["zh"] = Vocabulary::build({{"自行", 2}}, 1);
  write_vocabularies(path_, vocabularies);
  EXPECT_EQ(read_file(path_), "de\t4\thund\t7\nde\t5\tstraße\t3\nzh\t4\t自行\t2\n");
  const Vocabularies again = read_vocabularies(path_);
  ASSERT_EQ(again.size(), 2U);
  EXPECT_EQ(again.at("de").id("straße"), 5);
  EXPECT_EQ(again.at("zh").count(4), 2);
}

TEST_F(VocabularyFile, RefusesWhatItDidNotWrite) {
  const std::vector<std::pair<std::string, int>> bad = {
      {"de\t4\thund\n", 1},                      // a field missing
      {"de\t4\thund\t7\tx\n", 1},                // one too many
      {"de\t4\thund\t7\nde\t6\tkatze\t3\n", 2},  // a gap
      {"de\t4\thund\t7\nde\t5\thund\t3\n", 2},   // twice
      {"de\t3\thund\t7\n", 1},                   // reserved
      {"de\t4\thund\t-1\n", 1},
      {"de\t4\thund\t7x\n", 1},
      {"de\t99999999999\thund\t7\n", 1},
      {"de\t4\t\t7\n", 1},
      {"\t4\thund\t7\n", 1},
      {"de\t4\thund\t7\n\n", 2},
      {"de\t4\th\xff\t7\n", 1},
  };
  for (const auto& [content, line] : bad) {
    write_file(path_, content);
    try {
      read_vocabularies(path_);
      ADD_FAILURE() << "accepted: " << content;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(path_.string() + ":" + std::to_string(line)));
    }
  }
  write_file(path_, "");
  EXPECT_THROW(read_vocabularies(path_), InputError);
}

}  // namespace
}  // namespace hinny
