#include "text/subword_text.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

SubwordText small_text(std::int64_t merges = 30) {
  return SubwordText::learn(
      {{"en", {"A dog runs.", "A dog runs.", "A dog sleeps.", "The dogs run, the dog sleeps."}},
       {"de", {"Ein Hund schläft.", "Ein Hund läuft.", "Ein Hund läuft.", "Ein Hund schläft."}}},
      merges);
}

TEST(SubwordText, ComesBackFromItsIds) {
  SubwordText text = small_text();
  EXPECT_EQ(text.text(text.target("Ein Hund schläft.", "de")), "ein hund schläft.");
  EXPECT_EQ(text.target("", "de"), (std::vector<std::int32_t>{kEnd}));
  EXPECT_EQ(text.text({}), "");
}

TEST(SubwordText, ASourceSaysIntoWhichLanguage) {
  SubwordText text = small_text();
  const auto into_de = text.source("a dog", "en", "de"), into_en = text.source("a dog", "en", "en");
  EXPECT_NE(into_de.front(), into_en.front());
  EXPECT_TRUE(std::equal(into_de.begin() + 1, into_de.end(), into_en.begin() + 1));
  const auto never = text.never_written();
  EXPECT_NE(std::find(never.begin(), never.end(), into_de.front()), never.end());
  EXPECT_EQ(std::find(never.begin(), never.end(), kEnd), never.end());
  EXPECT_EQ(never.size(), 4);  // two reserved, two languages
}

TEST(SubwordText, UnknownPiecesAreCopiedAsWords) {
  SubwordText text = small_text();
  const std::string sentence = "a 犬 runs";
  const auto source = text.source(sentence, "en", "de");
  const auto unknown = std::find(source.begin(), source.end(), kUnknown);
  ASSERT_NE(unknown, source.end());
  const auto place = static_cast<std::size_t>(unknown - source.begin());
  EXPECT_EQ(text.word_at(source, sentence, "en", place), "犬");
  EXPECT_EQ(text.word_at(source, sentence, "en", 0), "");
  EXPECT_EQ(text.word_at(source, sentence, "en", source.size() - 1), "");
  EXPECT_EQ(text.text({kUnknown, kEnd}, {{0, "犬"}}), "犬");
}

TEST(SubwordText, AWordOfSeveralPiecesIsCopiedWhole) {
  SubwordText text = small_text(0);  // letters
  const std::string sentence = "a dog";
  const auto source = text.source(sentence, "en", "de");
  EXPECT_EQ(text.word_at(source, sentence, "en", 3), "dog");
  EXPECT_EQ(text.word_at(source, sentence, "en", 1), "a");
}

TEST(SubwordText, IsReadAsWritten) {
  const Scratch run;
  SubwordText text = small_text();
  text.write(run);
  SubwordText again = SubwordText::read(run);
  EXPECT_EQ(again.source("a dog sleeps", "en", "de"), text.source("a dog sleeps", "en", "de"));
  EXPECT_EQ(again.never_written(), text.never_written());
  write_file(run / kSubwordsFile, "no codes\n");
  EXPECT_THROW(SubwordText::read(run), InputError);
}

}  // namespace
}  // namespace hinny
