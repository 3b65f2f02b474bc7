#include "text/tokenizer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace hinny {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

Words words(const std::string& language, std::string_view text) {
  return Tokenizer(language).words(text);
}

TEST(Normalise, CaseFollowsTheLanguage) {
  EXPECT_EQ(normalise("ISPARTA İzmir", "tr"), "ısparta izmir");
  EXPECT_EQ(normalise("ISPARTA", "en"), "isparta");
  EXPECT_EQ(normalise("Die STRASSE, die Straße", "de"), "die strasse, die straße");
  EXPECT_EQ(normalise("ΟΔΟΣ", "el"), "οδος");
}

TEST(Normalise, FormsOfOneWordBecomeOne) {
  EXPECT_EQ(normalise("ＡＢＣ１２３", "ja"), "abc123");
  EXPECT_EQ(normalise("cafe\u0301", "fr"), "café");
  EXPECT_EQ(normalise("don\u2019t", "en"), "don't");
  EXPECT_EQ(normalise("don\u00B4t", "en"), "don't");
  EXPECT_EQ(normalise("Fuß\u00ADball", "de"), "fußball");
  EXPECT_EQ(normalise("كَلْبٌ كـــلب", "ar"), "كلب كلب");
}

TEST(Normalise, RefusesBrokenInput) {
  EXPECT_THROW(normalise("ab\xff", "en"), InputError);
  EXPECT_THROW(normalise("ab", "no language!"), InputError);
}

TEST(Tokenizer, SegmentsEveryScript) {
  EXPECT_THAT(words("zh", "一个男人在公园里骑自行车。"),
              ElementsAre("一个", "男人", "在", "公园", "里", "骑", "自行", "车"));
  EXPECT_THAT(words("ja", "犬が公園を走る"), ElementsAre("犬", "が", "公園", "を", "走る"));
  EXPECT_THAT(words("th", "สุนัขวิ่งในสวน"), ElementsAre("สุนัข", "วิ่ง", "ใน", "สวน"));
  EXPECT_THAT(words("ko", "개가 뛴다."), ElementsAre("개가", "뛴다"));
  EXPECT_THAT(words("ar", "كَلْبٌ يجري، في الحديقة"), ElementsAre("كلب", "يجري", "في", "الحديقة"));
}

TEST(Tokenizer, DropsPunctuationAndKeepsNumbers) {
  EXPECT_THAT(
      words("de", "Zwei Hunde – 3,5 Jahre alt – spielen in der \"Straße\"!"),
      ElementsAre("zwei", "hunde", "3,5", "jahre", "alt", "spielen", "in", "der", "straße"));
  EXPECT_THAT(words("cs", "Žena v červené bundě."), ElementsAre("žena", "v", "červené", "bundě"));
  EXPECT_THAT(words("en", "a T-shirt __ 😀 in the park.The end"),
              ElementsAre("a", "t", "shirt", "in", "the", "park", "the", "end"));
  EXPECT_THAT(words("en", " ... \t"), IsEmpty());
  EXPECT_THAT(words("en", ""), IsEmpty());
}

TEST(Tokenizer, PartsCliticsFromTheirWords) {
  EXPECT_THAT(words("fr", "L’homme qu'on voit aujourd'hui, jusqu'à l' eau d'"),
              ElementsAre("l'", "homme", "qu'", "on", "voit", "aujourd'hui", "jusqu'", "à", "l'",
                          "eau", "d'"));
  EXPECT_THAT(words("it", "l'uomo nell'acqua"), ElementsAre("l'", "uomo", "nell'", "acqua"));
  EXPECT_THAT(words("en", "the dog's ball isn't 'red'"),
              ElementsAre("the", "dog", "'s", "ball", "isn't", "red"));
}

TEST(Tokenizer, GivenTokensAreSplitAtSpacesAlone) {
  Tokenizer given("de", {.given = true});
  EXPECT_THAT(given.words(" Ein  T-Shirt , l'homme 男人在\u3000. "),
              ElementsAre("ein", "t-shirt", ",", "l'homme", "男人在", "."));
}

TEST(Tokenizer, KeepsTheFirstWordsAndCutsTheEndless) {
  EXPECT_THAT(Tokenizer("fr", {.max_words = 2}).words("l'homme court"), ElementsAre("l'", "homme"));
  std::string endless;
  for (int i = 0; i < 100000; ++i) endless += "é";
  EXPECT_EQ(words("fr", endless).front().size(), 100U);
}

TEST(Tokenizer, OneObjectServesManyTexts) {
  Tokenizer tokenizer("en");
  EXPECT_THAT(tokenizer.words("A dog runs"), ElementsAre("a", "dog", "runs"));
  Tokenizer moved = std::move(tokenizer);
  EXPECT_THAT(moved.words("A cat"), ElementsAre("a", "cat"));
}

}  // namespace
}  // namespace hinny
