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

TEST(ScoreWords, FollowZh) {
  const auto words = [](std::string_view text) { return score_words(text, ScoreTokeniser::zh); };
  EXPECT_THAT(words(" 一只狗，在2019年。 "),
              ElementsAre("一", "只", "狗", "，", "在", "2019", "年", "。"));
  EXPECT_THAT(words("iPhone手机 3.5 inch, ok. 3."),
              ElementsAre("iPhone", "手", "机", "3.5", "inch", ",", "ok", ".", "3."));
  EXPECT_THAT(words("“a”—b…"), ElementsAre("“", "a", "”", "—", "b", "…"));
  EXPECT_THAT(words("ＡＢ㍿"), ElementsAre("Ａ", "Ｂ", "㍿"));
  // sacreBLEU's table does not reach them.
  EXPECT_THAT(words("𠀀𠀁 あい"), ElementsAre("𠀀𠀁", "あい"));
}

TEST(ScoreWords, FollowIntl) {
  const auto words = [](std::string_view text) { return score_words(text, ScoreTokeniser::intl); };
  EXPECT_THAT(words("„viel“, 1,000.5 a-b"),
              ElementsAre("„", "viel", "“", ",", "1,000.5", "a", "-", "b"));
  EXPECT_THAT(words("$5+3 3."), ElementsAre("$", "5", "+", "3", "3."));
  EXPECT_THAT(words("да! ¿qué? 狗。"), ElementsAre("да", "!", "¿", "qué", "?", "狗", "。"));
  EXPECT_THAT(words("&quot;"), ElementsAre("&", "quot", ";"));
  EXPECT_THAT(words("🐴a٣٫٥"), ElementsAre("🐴", "a٣٫٥"));
}

TEST(ScoreWords, FollowChar) {
  EXPECT_THAT(score_words(" 犬 がa.\U0001F434", ScoreTokeniser::character),
              ElementsAre("犬", "が", "a", ".", "\U0001F434"));
}

TEST(ScoreWords, AreCutAsTheLanguageIsWritten) {
  for (const char* code : {"zh", "zh-Hant-TW", "zho_Hans", "cmn", "yue"}) {
    EXPECT_EQ(tokeniser_for(code), ScoreTokeniser::zh) << code;
  }
  for (const char* code : {"ja", "jpn_Jpan", "th", "lo", "km", "my", "mya_Mymr"}) {
    EXPECT_EQ(tokeniser_for(code), ScoreTokeniser::character) << code;
  }
  for (const char* code : {"en", "deu", "ko", "ar"}) {
    EXPECT_EQ(tokeniser_for(code), ScoreTokeniser::mteval_13a) << code;
  }
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
  for (const char* name : {"13b", "", "ja-mecab", "ko-mecab", "flores101", "spm"}) {
    EXPECT_THROW(score_tokeniser(name), InputError) << name;
  }
  for (const char* name : {"13a", "intl", "zh", "char", "none"}) {
    EXPECT_EQ(name_of(score_tokeniser(name)), name);
  }
}

}  // namespace
}  // namespace hinny
