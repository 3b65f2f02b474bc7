#include "tokenizer/subword_tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/read_file.h"
#include "base/request_error.h"
#include "tokenizer/tokenizer_fixture.h"
#include "tokenizer/tokenizer_parts.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Texts that break readers: none may, and what comes out is in order.
std::vector<std::string> odd_texts() {
  std::vector<std::string> texts = {"",
                                    " ",
                                    "   \t\n",
                                    "\U0001F600\U0001F600",
                                    "\U0001F469\u200d\U0001F469\u200d\U0001F467",
                                    "e\u0301\u0302\u0303",
                                    "\u0301",
                                    "&amp;&lt;&#39;",
                                    "\u200b\ufeff\ufffd",
                                    "\U0010FFFF\ue000",
                                    "dog\r\ndog",
                                    "[CLS] <s> </s> <pad>"};
  texts.emplace_back("a\0b\0", 4);
  texts.emplace_back(10'000, 'd');
  std::string words;
  for (int i = 0; i < 2000; ++i) words += "dog \u4f60";
  texts.push_back(words);
  for (int byte = 1; byte < 0x80; ++byte) texts.emplace_back(3, static_cast<char>(byte));
  return texts;
}

nlohmann::json some_unigram() {
  return unigram({{"▁", -3}, {"▁dog", -2}, {"dog", -4}, {"s", -3}, {"▁do", -4}, {"g", -4}});
}

TEST(SubwordTokenizer, WordPiece) {
  TokenizerFolder folder;
  folder.write("tokenizer.json", word_pieces({"dog", "##s", "a", "##b", "##bc", "!", "ab"}));
  const SubwordTokenizer tokenizer = folder.import("bert");
  EXPECT_EQ(tokenizer.size(), 11);
  EXPECT_THAT(tokenizer.ids("Dogs!", 100), ElementsAre(2, 4, 5, 9, 3));
  EXPECT_THAT(pieces_of(tokenizer, "abbc dogx a"),
              ElementsAre("[CLS]", "ab", "##bc", "[UNK]", "a", "[SEP]"));
  EXPECT_THAT(pieces_of(tokenizer, std::string(21, 'b') + " a"),  // longer than words are
              ElementsAre("[CLS]", "[UNK]", "a", "[SEP]"));
  EXPECT_THAT(pieces_of(tokenizer, "a[SEP]a"), ElementsAre("[CLS]", "a", "[SEP]", "a", "[SEP]"));
}

TEST(SubwordTokenizer, UnigramTakesTheHighestSum) {
  TokenizerFolder folder;
  folder.write("tokenizer.json", some_unigram());
  const SubwordTokenizer tokenizer = folder.import("xlm-roberta");
  EXPECT_THAT(pieces_of(tokenizer, "dogs dog"), ElementsAre("<s>", "▁dog", "s", "▁dog", "</s>"));
  EXPECT_THAT(pieces_of(tokenizer, "xyzdog"), ElementsAre("<s>", "▁", "<unk>", "dog", "</s>"));
  EXPECT_EQ(tokenizer.ids("x", 9), (std::vector<std::int32_t>{0, 4, 3, 2}));
}

TEST(SubwordTokenizer, OfEqualSumsTheLongerPieceIsTaken) {
  TokenizerFolder folder;
  folder.write("tokenizer.json", unigram({{"▁", -1}, {"a", -1}, {"b", -1}, {"ab", -2}}));
  EXPECT_THAT(pieces_of(folder.import(), "ab"), ElementsAre("<s>", "▁", "ab", "</s>"));
}

TEST(SubwordTokenizer, BytePairsMergeTheEarliestFirst) {
  TokenizerFolder folder;
  folder.write("tokenizer.json",
               byte_pairs({"a", "b", "c", "▁"}, {{"b", "c"}, {"a", "b"}, {"a", "bc"}, {"▁", "a"}}));
  const SubwordTokenizer tokenizer = folder.import();
  EXPECT_THAT(pieces_of(tokenizer, "abc"), ElementsAre("abc"));
  EXPECT_THAT(pieces_of(tokenizer, "ab ac"), ElementsAre("ab", "▁a", "c"));
  EXPECT_THAT(pieces_of(tokenizer, "aé"), ElementsAre("a", "<0xC3>", "<0xA9>"));
  EXPECT_THAT(pieces_of(tokenizer, "ab  "), ElementsAre("ab", "▁", "▁"));
}

TEST(SubwordTokenizer, ATextIsCutSoThatItsMarksStay) {
  TokenizerFolder folder;
  folder.write("tokenizer.json", some_unigram());
  const SubwordTokenizer tokenizer = folder.import();
  EXPECT_EQ(tokenizer.marks(), 2U);
  EXPECT_THAT(pieces_of(tokenizer, "dogs dogs", 4), ElementsAre("<s>", "▁dog", "s", "</s>"));
  EXPECT_THAT(pieces_of(tokenizer, "dogs", 2), ElementsAre("<s>", "</s>"));
  EXPECT_THAT(pieces_of(tokenizer, "", 9), ElementsAre("<s>", "</s>"));
  EXPECT_THROW(tokenizer.ids("dogs", 1), std::invalid_argument);
}

TEST(SubwordTokenizer, WhatIsNoUtf8IsRefused) {
  TokenizerFolder folder;
  folder.write("tokenizer.json", some_unigram());
  const SubwordTokenizer tokenizer = folder.import();
  for (const char* text : {"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80"}) {
    EXPECT_THROW(tokenizer.ids(text, 9), RequestError);
  }
  EXPECT_THROW(tokenizer.ids(std::string((1U << 20U) + 1, 'a'), 9), RequestError);
}

TEST(SubwordTokenizer, OddTextsGiveTheSameIdsInEachThread) {
  for (const nlohmann::json& json :
       {word_pieces({"dog", "##d", "d"}), some_unigram(),
        byte_pairs({"d", "o", "g", "▁"}, {{"d", "d"}, {"dd", "dd"}})}) {
    TokenizerFolder folder;
    folder.write("tokenizer.json", json);
    const SubwordTokenizer tokenizer = folder.import();
    const auto all = [&] {
      std::vector<std::vector<std::int32_t>> ids;
      for (const std::string& text : odd_texts()) {
        ids.push_back(tokenizer.ids(text, 1U << 20U));
        for (const std::int32_t id : ids.back()) EXPECT_LT(id, tokenizer.size());
        const auto few = tokenizer.ids(text, 8);
        EXPECT_LE(few.size(), 8U);
        EXPECT_EQ(few, tokenizer.ids(text, 8));
      }
      return ids;
    };
    const auto expected = all();
    std::vector<std::vector<std::int32_t>> found;
    std::thread other([&] { found = all(); });
    EXPECT_EQ(all(), expected);
    other.join();
    EXPECT_EQ(found, expected);
  }
}

TEST(SubwordTokenizer, TheSameFolderGivesTheSameBytes) {
  TokenizerFolder one, other;
  for (TokenizerFolder* folder : {&one, &other}) {
    folder->write("tokenizer.json", some_unigram());
    folder->import();
  }
  EXPECT_EQ(read_file(one.file()), read_file(other.file()));
}

TEST(SubwordTokenizer, OpeningDoesNotTakeLongerForManyPieces) {
  TokenizerParts parts;
  parts.model = PieceModel::unigram;
  for (int i = 0; i < 256'000; ++i) {
    parts.pieces.push_back(fmt::format("piece{}", i));
    parts.scores.push_back(-i);
  }
  parts.unknown = 0;
  const Scratch folder;
  write_tokenizer(parts, "made", folder / "t");
  double best = 1;
  for (int i = 0; i < 20; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto tokenizer = SubwordTokenizer::open(folder / "t");
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count());
    EXPECT_EQ(tokenizer.size(), 256'000);
  }
  RecordProperty("open_microseconds", static_cast<int>(best * 1e6));
  EXPECT_LT(best, 0.002);
}

TEST(SubwordTokenizer, ADamagedFileIsRefusedOrAnswers) {
  TokenizerFolder folder;
  nlohmann::json json = some_unigram();
  json["added_tokens"].push_back(added_token(10, "<mask>"));
  folder.write("tokenizer.json", json);
  folder.import();
  const std::string whole = read_file(folder.file());
  EXPECT_GT(whole.size(), 1000U);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const char flip : {'\x01', '\x80'}) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      write_quickly(folder.path() / "damaged", damaged);
      try {
        const auto tokenizer = SubwordTokenizer::open(folder.path() / "damaged");
        for (const char* text : {"dogs dog xyz", "<mask> </s>", "\u4f60"}) {
          for (const std::int32_t id : tokenizer.ids(text, 100)) ASSERT_LT(id, tokenizer.size());
        }
      } catch (const InputError&) {
      }
    }
  }
  write_file(folder.path() / "damaged", whole.substr(0, whole.size() - 1));
  EXPECT_THROW(SubwordTokenizer::open(folder.path() / "damaged"), InputError);
  write_file(folder.path() / "damaged", "");
  EXPECT_THROW(SubwordTokenizer::open(folder.path() / "damaged"), InputError);
}

}  // namespace
}  // namespace hinny
