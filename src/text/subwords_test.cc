#include "text/subwords.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/read_file.h"
#include "tests/scratch.h"
#include "text/characters.h"

namespace hinny {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

// The example of the paper and of subword-nmt's README.
const WordCounts kClassic = {{"low", 5}, {"lower", 2}, {"newest", 6}, {"widest", 3}};

class SubwordsFile : public ::testing::Test {
 protected:
  Subwords read(const std::string& content) const {
    write_file(path_, content);
    return Subwords::read(path_);
  }
  Scratch folder_;
  std::filesystem::path path_ = folder_ / "codes";
};

// Words of few letters, so that pairs repeat, overlap and tie.
std::string random_word(Random& random, std::size_t longest) {
  static const Words letters = {"a", "a", "b", "c", "@", "w", "</w>", "é", "犬", "😀", "￭"};
  std::string word;
  for (std::size_t i = 1 + random.below(longest); i > 0; --i) word += random.pick(letters);
  return word;
}

WordCounts random_counts(Random& random, int words) {
  WordCounts counts;
  for (int i = 0; i < words; ++i) {
    counts[random_word(random, 8)] += static_cast<std::int64_t>(1 + random.below(9));
  }
  return counts;
}

Words symbols_of(const std::string& word) {
  Words symbols;
  for_each_character(
      word, [&](auto begin, auto end) { symbols.push_back(word.substr(begin, end - begin)); });
  symbols.back() += kWordEnd;
  return symbols;
}

void merge_all(Words& symbols, const SubwordMerge& merge) {
  for (std::size_t i = 1; i < symbols.size(); ++i) {
    if (symbols[i - 1] != merge.left || symbols[i] != merge.right) continue;
    symbols[i - 1] += symbols[i];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// The definition, counted anew for every merge.
std::vector<SubwordMerge> learn_slowly(const WordCounts& counts, std::size_t merges,
                                       std::int64_t min_count) {
  std::vector<std::pair<Words, std::int64_t>> words;
  for (const auto& [word, count] : counts) words.emplace_back(symbols_of(word), count);
  std::vector<SubwordMerge> found;
  while (found.size() < merges) {
    std::map<std::pair<std::string, std::string>, std::int64_t> pairs;
    for (const auto& [symbols, count] : words) {
      for (std::size_t i = 1; i < symbols.size(); ++i) pairs[{symbols[i - 1], symbols[i]}] += count;
    }
    std::pair<std::int64_t, std::pair<std::string, std::string>> best;
    for (const auto& [pair, count] : pairs) best = std::max(best, {count, pair});
    if (best.first < min_count) break;
    const SubwordMerge merge = {best.second.first, best.second.second};
    if (std::ranges::count(found, merge) == 0) found.push_back(merge);
    for (auto& entry : words) merge_all(entry.first, merge);
  }
  return found;
}

// The definition: the first merge of the list that fits, everywhere; then look again.
Words pieces_slowly(const std::string& word, const std::vector<SubwordMerge>& merges) {
  Words symbols = symbols_of(word);
  for (std::size_t next = 0; next < merges.size();) {
    const std::size_t before = symbols.size();
    merge_all(symbols, merges[next]);
    next = symbols.size() < before ? 0 : next + 1;
  }
  symbols.back().resize(symbols.back().size() - kWordEnd.size());
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) symbols[i] += "@@";
  return symbols;
}

TEST(Subwords, LearnsTheClassicExample) {
  const std::vector<SubwordMerge> expected = {
      {"s", "t</w>"},     {"e", "st</w>"}, {"l", "o"}, {"w", "est</w>"}, {"n", "e"},
      {"ne", "west</w>"}, {"lo", "w</w>"}, {"w", "i"}, {"wi", "d"},      {"wid", "est</w>"}};
  EXPECT_EQ(Subwords::learn(kClassic, 10).merges(), expected);
  const Subwords subwords = Subwords::learn(kClassic, 4);
  EXPECT_THAT(subwords.pieces("lowest"), ElementsAre("lo@@", "west"));
  EXPECT_THAT(subwords.pieces("stest"), ElementsAre("s@@", "t@@", "est"));
  EXPECT_THAT(subwords.pieces("xyé"), ElementsAre("x@@", "y@@", "é"));
  EXPECT_THAT(subwords.pieces("x"), ElementsAre("x"));
  EXPECT_THAT(subwords.pieces(""), IsEmpty());
}

TEST(Subwords, StopsBeforeRarePairs) {
  EXPECT_EQ(Subwords::learn(kClassic, 100, 6).merges().size(), 6U);
  EXPECT_THAT(Subwords::learn(kClassic, 100, 16).merges(), IsEmpty());
  EXPECT_THAT(Subwords::learn(kClassic, 0).merges(), IsEmpty());
  EXPECT_THAT(Subwords::learn({}, 10).merges(), IsEmpty());
  EXPECT_THAT(Subwords::learn({{"", 9}, {"ab", 0}, {"cd", -5}}, 10, -9).merges(), IsEmpty());
  EXPECT_EQ(Subwords::learn(kClassic, 100, -9).merges(),
            Subwords::learn(kClassic, 100, 1).merges());
  const Subwords whole = Subwords::learn(kClassic, 100, 1);
  EXPECT_THAT(whole.pieces("lower"), ElementsAre("lower"));
}

TEST(Subwords, LearningFollowsTheDefinition) {
  Random random(2);
  for (int round = 0; round < 30; ++round) {
    const WordCounts counts = random_counts(random, 60);
    const WordCounts other_order(counts.begin(), counts.end(), 1009);
    const auto merges = Subwords::learn(counts, 120, 3).merges();
    ASSERT_EQ(merges, learn_slowly(counts, 120, 3));
    ASSERT_EQ(merges, Subwords::learn(other_order, 120, 3).merges());
  }
}

// "b a</w>" is merged at the word's end, and again once "a</w>" has grown out of letters.
TEST_F(SubwordsFile, AMergeThatComesBackIsListedOnce) {
  const WordCounts counts = {{"aaa</w>", 3}, {"ba</w>ba", 1}, {"a</w>abba", 3}};
  const Subwords learned = Subwords::learn(counts, 50, 1);
  EXPECT_EQ(std::ranges::count(learned.merges(), SubwordMerge{"b", "a</w>"}), 1);
  EXPECT_EQ(learned.merges(), learn_slowly(counts, 50, 1));
  EXPECT_EQ(learned.merges().size(), 12U);
  EXPECT_EQ(Subwords::learn(counts, 12, 1).merges(), learned.merges());
  learned.write(path_);
  EXPECT_EQ(Subwords::read(path_).merges(), learned.merges());
}

TEST(Subwords, RefusesWordsThatNoFileCouldHold) {
  for (const char* word : {"a b", "a\n", "\ta", "a\r", "a\xff"}) {
    EXPECT_THROW(Subwords::learn({{word, 2}}, 10), InputError) << word;
  }
}

TEST(Subwords, PiecesFollowTheDefinition) {
  Random random(5);
  for (int round = 0; round < 20; ++round) {
    auto merges = Subwords::learn(random_counts(random, 60), 100, 2).merges();
    // Any order may stand in a file.
    random.shuffle(std::span(merges));
    const Scratch folder;
    std::string file = "#version: 0.2\n";
    for (const auto& [left, right] : merges)
      file.append(left).append(" ").append(right).append("\n");
    write_file(folder / "codes", file);
    const Subwords subwords = Subwords::read(folder / "codes");
    for (int i = 0; i < 100; ++i) {
      const std::string word = random_word(random, 30) + "b";
      ASSERT_EQ(subwords.pieces(word), pieces_slowly(word, merges)) << word;
    }
  }
}

TEST(Subwords, WordsThatLookLikeMarksSurvive) {
  const WordCounts counts = {{"@@", 9}, {"a@@", 9}, {"@@@@", 9}, {"</w>", 9}, {"a</w>b", 9}};
  for (const Subwords& subwords : {Subwords(), Subwords::learn(counts, 100, 1)}) {
    for (const std::string word : {"@", "@@", "@@@", "@@@@", "a@@", "a@@@", "@@a", "a@", "@@a@@",
                                   "</w>", "a</w>", "</w></w>", "a</w>b", "w></w>@@"}) {
      EXPECT_THAT(words_of_pieces(subwords.pieces(word)), ElementsAre(word));
    }
  }
  EXPECT_THAT(Subwords::learn(counts, 100, 1).pieces("a@@"), ElementsAre("a@@@", "@"));
}

TEST(Subwords, EveryWordComesBack) {
  Random random(3);
  const Subwords subwords = Subwords::learn(random_counts(random, 500), 300);
  Words words, pieces;
  for (int i = 0; i < 3000; ++i) {
    words.push_back(random_word(random, 40));
    const Words own = subwords.pieces(words.back());
    for (const std::string& piece : own) EXPECT_EQ(piece.ends_with("@@"), &piece != &own.back());
    pieces.insert(pieces.end(), own.begin(), own.end());
  }
  EXPECT_EQ(words_of_pieces(pieces), words);
}

TEST(Subwords, AnyPiecesCanBeGlued) {
  EXPECT_THAT(words_of_pieces({}), IsEmpty());
  EXPECT_THAT(words_of_pieces(Words{"lo@@", "w", "a", "b@@"}), ElementsAre("low", "a", "b"));
  EXPECT_THAT(words_of_pieces(Words{"@@", "", "@@", "a", "", "b@@", "", "@@"}),
              ElementsAre("a", "b"));
}

TEST(Subwords, AnEndlessWordIsNoTrouble) {
  const Subwords subwords = Subwords::learn({{"aaaaaaaa", 5}, {"abab", 3}}, 20);
  std::string word;
  for (int i = 0; i < 500'000; ++i) word += i % 1000 == 0 ? "é" : i % 3 == 0 ? "ab" : "aa";
  EXPECT_THAT(words_of_pieces(subwords.pieces(word)), ElementsAre(word));
  // Pairs of 2, 4, ... 2^19 letters: only one pair of 2^19 is left.
  EXPECT_EQ(Subwords::learn({{std::string(1'000'000, 'a'), 1}}, 1000).merges().size(), 19U);
}

TEST_F(SubwordsFile, RoundTripGivesEqualBytes) {
  Subwords::learn(kClassic, 3).write(path_);
  EXPECT_EQ(read_file(path_), "#version: 0.2\ns t</w>\ne st</w>\nl o\n");
  Random random(4);
  const Subwords learned = Subwords::learn(random_counts(random, 300), 200);
  learned.write(path_);
  const std::string bytes = read_file(path_);
  const Subwords again = Subwords::read(path_);
  EXPECT_EQ(again.merges(), learned.merges());
  again.write(path_);
  EXPECT_EQ(read_file(path_), bytes);
  for (int i = 0; i < 200; ++i) {
    const std::string word = random_word(random, 20);
    EXPECT_EQ(again.pieces(word), learned.pieces(word));
  }
}

TEST_F(SubwordsFile, ReadsWhatSubwordNmtWrites) {
  EXPECT_THAT(read("#version: 0.2\n").pieces("ab"), ElementsAre("a@@", "b"));
  const Subwords subwords = read("#version: 0.2\r\na b</w>\r\na b\r\nab a\r\nab ab</w>");
  EXPECT_THAT(subwords.pieces("abaabab"), ElementsAre("aba@@", "abab"));
  EXPECT_THAT(subwords.pieces("ab"), ElementsAre("ab"));
  EXPECT_THAT(subwords.pieces("bab"), ElementsAre("b@@", "ab"));
}

// "a b" waits while "b" becomes "bc"; "bc d" then comes before "a bc".
TEST_F(SubwordsFile, EarlierMergesGoFirst) {
  const Subwords subwords = read("#version: 0.2\nb c\na b\nbc d\na bc\n");
  EXPECT_THAT(subwords.pieces("abcde"), ElementsAre("a@@", "bcd@@", "e"));
}

TEST_F(SubwordsFile, RefusesWhatIsNoCodesFile) {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"", "an empty file"},
      {"a b\n", ":1:"},
      {"#version: 0.1\na b\n", ":1:"},
      {"#version: 0.2 byte\na b\n", ":1:"},
      {"#version: 0.2\na\n", ":2:"},
      {"#version: 0.2\na b\n\n", ":3:"},
      {"#version: 0.2\na b c\n", ":2:"},
      {"#version: 0.2\na  b\n", ":2:"},
      {"#version: 0.2\na b \n", ":2:"},
      {"#version: 0.2\n b\n", ":2:"},
      {"#version: 0.2\na \n", ":2:"},
      {"#version: 0.2\n \n", ":2:"},
      {"#version: 0.2\na b\nb c\na b\n", ":4:"},
      {"#version: 0.2\na \xff\n", ":2:"},
  };
  for (const auto& [content, where] : bad) {
    try {
      read(content);
      ADD_FAILURE() << content;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(where)) << content;
    }
  }
  EXPECT_THROW(Subwords::read(folder_ / "none"), InputError);
}

}  // namespace
}  // namespace hinny
