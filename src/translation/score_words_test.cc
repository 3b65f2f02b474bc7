#include "translation/score_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace hinny {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> words_13a(std::string_view text) {
  return score_words(text, ScoreTokeniser::mteval_13a);
}

TEST(ScoreWords, Follow13a) {
  EXPECT_THAT(words_13a("Hello, world!"), ElementsAre("Hello", ",", "world", "!"));
  EXPECT_THAT(words_13a("1,000.5 and 3."), ElementsAre("1,000.5", "and", "3", "."));
  EXPECT_THAT(words_13a("in 2019-2020, well-known."),
              ElementsAre("in", "2019", "-", "2020", ",", "well-known", "."));
  EXPECT_THAT(words_13a("it's (a) l'eau"), ElementsAre("it's", "(", "a", ")", "l'eau"));
  EXPECT_THAT(words_13a("a..b..."), ElementsAre("a", ".", ".", "b", ".", ".", "."));
  EXPECT_THAT(words_13a("5%/{x}~[y]_z"),
              ElementsAre("5", "%", "/", "{", "x", "}", "~", "[", "y", "]", "_", "z"));
  EXPECT_THAT(words_13a("„viel“, é. «ö»,"), ElementsAre("„viel“", ",", "é", ".", "«ö»", ","));
  EXPECT_THAT(words_13a("&quot;a&amp;lt;b&quot; &gt;<skipped>"),
              ElementsAre("\"", "a", "<", "b", "\"", ">"));
  EXPECT_THAT(words_13a("well-\nknown\nman"), ElementsAre("wellknown", "man"));
  EXPECT_THAT(words_13a(" \t"), ElementsAre());
  EXPECT_THAT(words_13a(""), ElementsAre());
}

TEST(ScoreWords, SplitWherePythonDoes) {
  EXPECT_THAT(score_words(" a,b\u00A0c\u3000d\u2009e\x1F"
                          "f \xF0\x9F\x90\xB4.",
                          ScoreTokeniser::none),
              ElementsAre("a,b", "c", "d", "e", "f", "\xF0\x9F\x90\xB4."));
  EXPECT_EQ(without_spaces(" a b\u00A0c\t"), "abc");
  // A zero-width space is none.
  EXPECT_THAT(score_words("a\u200Bb", ScoreTokeniser::none), ElementsAre("a\u200Bb"));
}

TEST(ScoreWords, LowerCaseIsUnicodes) {
  EXPECT_EQ(lower_cased("ÉTÉ GROß ΣΑΣ Ж I"), "été groß σας ж i");
}

TEST(ScoreWords, RefuseWhatIsNotParallel) {
  EXPECT_THROW(check_parallel({}, {{}}), InputError);
  EXPECT_THROW(check_parallel({"a"}, {}), InputError);
  EXPECT_THROW(check_parallel({"a"}, {{"a"}, {"a", "b"}}), InputError);
  EXPECT_NO_THROW(check_parallel({""}, {{""}}));
  EXPECT_THROW(score_tokeniser("13b"), InputError);
  EXPECT_EQ(name_of(score_tokeniser("13a")), "13a");
  EXPECT_EQ(name_of(score_tokeniser("none")), "none");
}

}  // namespace
}  // namespace hinny
