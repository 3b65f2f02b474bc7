#include "text/word_vectors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/scratch.h"
#include "text/vector_import.h"

namespace hinny {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class VecFile : public ::testing::Test {
 protected:
  void expect_refused(const std::string& content, const std::string& place) {
    write_file(path_, content);
    try {
      read_word_vectors(path_);
      ADD_FAILURE() << "accepted: " << content;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(path_.string() + place)) << content;
    }
  }

  Scratch folder_;
  std::filesystem::path path_ = folder_ / "words.vec";
};

TEST_F(VecFile, RoundTripIsExact) {
  WordVectors vectors(3);
  EXPECT_TRUE(vectors.add("straße", std::vector<float>{1.0F / 3.0F, -1e-30F, 3e38F}));
  EXPECT_TRUE(vectors.add("犬", std::vector<float>{0.1F, 0.0F, -2.5F}));
  EXPECT_FALSE(vectors.add("犬", std::vector<float>{1, 2, 3}));
  write_word_vectors(path_, vectors);
  const WordVectors again = read_word_vectors(path_);
  EXPECT_EQ(again.words(), vectors.words());
  EXPECT_TRUE(std::ranges::equal(again.rows(), vectors.rows()));
  EXPECT_THAT(again.find("犬"), ElementsAre(0.1F, 0.0F, -2.5F));
  EXPECT_TRUE(again.find("cat").empty());
}

TEST_F(VecFile, HeaderIsOptionalAndOnlyWantedWordsAreKept) {
  write_file(path_, "a 1 2 \nb 3 x\nc 5 6\n");  // b is never looked at
  const WordVectors vectors =
      read_word_vectors(path_, [](std::string_view word) { return word != "b"; });
  EXPECT_THAT(vectors.words(), ElementsAre("a", "c"));
  EXPECT_THAT(vectors.find("c"), ElementsAre(5.0F, 6.0F));
}

TEST_F(VecFile, RefusesDamage) {
  expect_refused("2 2\na 1 2\nb 3\n", ":3");
  expect_refused("2 2\na 1 2\nb 3 4 5\n", ":3");
  expect_refused("2 2\na 1 2\nb 3 nan\n", ":3");
  expect_refused("2 2\na 1 2\nb 3 1e60\n", ":3");
  expect_refused("2 2\na 1 2\nb 3 4x\n", ":3");
  expect_refused("2 2\na 1 2\na 3 4\n", ":3");
  expect_refused("2 2\na 1 2\n 3 4\n", ":3");
  expect_refused("3 2\na 1 2\nb 3 4\n", "");  // ends early
  expect_refused("2 0\n", ":1");
  expect_refused("2 99999999\n", ":1");
  expect_refused("\n", ":1");
  expect_refused("0 2\n", "");
  expect_refused("", "");
}

TEST_F(VecFile, MissingRowsLookLikeTheOthers) {
  Vocabulary vocabulary;
  WordVectors vectors(100);
  for (int i = 0; i < 100; ++i) {
    vocabulary.add(std::to_string(i), 1);
    std::vector<float> row(100);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = (i + static_cast<int>(j)) % 2 ? 3 : -3;
    if (i % 2 == 0) vectors.add(std::to_string(i), row);
  }
  vectors.add("other", std::vector<float>(100, 1000.0F));
  write_word_vectors(path_, vectors);
  const InitialVectors initial = load_word_vectors(path_, vocabulary, 7);
  EXPECT_EQ(initial.dim, 100U);
  EXPECT_EQ(initial.found, 50);
  EXPECT_EQ(initial.missing, 50);
  const auto row = [&](std::int32_t id) {
    return std::span(initial.rows).subspan(static_cast<std::size_t>(id) * 100, 100);
  };
  EXPECT_TRUE(std::ranges::equal(row(vocabulary.id("2")), vectors.find("2")));
  EXPECT_THAT(row(kPad), ::testing::Each(0.0F));
  double squares = 0.0;
  for (int i = 1; i < 100; i += 2) {
    for (const float x : row(kFirstWord + i)) squares += static_cast<double>(x) * x;
  }
  EXPECT_NEAR(std::sqrt(squares / 5000.0), 3.0, 0.15);
  EXPECT_FALSE(std::ranges::equal(row(kUnknown), row(kStart)));
  EXPECT_EQ(load_word_vectors(path_, vocabulary, 7).rows, initial.rows);
  EXPECT_NE(load_word_vectors(path_, vocabulary, 8).rows, initial.rows);

  Vocabulary strange;
  strange.add("xyzzy", 1);
  EXPECT_THROW(load_word_vectors(path_, strange, 7), InputError);
}

TEST_F(VecFile, ImportMatchesNormalisedWordsInTheVocabularysOrder) {
  const std::string content =
      "6 2\n</s> 9 9\nHund 1 2\nhund 3 4\nbr\xff 5 6\nKatze 7 8\nAuto 9 9\n";
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path_.c_str(), "wb"), gzclose);
  ASSERT_GT(gzwrite(file.get(), content.data(), static_cast<unsigned>(content.size())), 0);
  gzflush(file.get(), Z_FINISH);
  Vocabulary wanted;
  for (const char* word : {"katze", "hund", "maus"}) wanted.add(word, 1);
  const ImportedVectors imported = import_word_vectors(path_, "de", wanted);
  EXPECT_THAT(imported.vectors.words(), ElementsAre("katze", "hund"));
  EXPECT_THAT(imported.vectors.find("hund"), ElementsAre(1.0F, 2.0F));  // the more frequent form
  EXPECT_EQ(imported.broken, 1U);

  Vocabulary strange;
  strange.add("xyzzy", 1);
  EXPECT_THROW(import_word_vectors(path_, "de", strange), InputError);
}

}  // namespace
}  // namespace hinny
