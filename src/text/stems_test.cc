#include "text/stems.h"

#include <gmock/gmock.h>

#include "base/error.h"
#include "text/tokenizer.h"

namespace hinny {
namespace {

using testing::ElementsAre;

TEST(Stems, FormsOfAWordHaveOneStem) {
  const auto same = [](const char* language, const char* a, const char* b) {
    const Stems stems(language);
    EXPECT_EQ(stems.of(a), stems.of(b)) << a << " " << b;
  };
  same("en", "jumping", "jumps");
  same("de", "hund", "hunde");
  same("fr", "rouge", "rouges");
  same("pt", "meninos", "menino");
  same("cs", "nákladního", "nákladních");
  same("cs", "muži", "muže");
  same("ar", "الكلب", "كلب");
  same("nb", "hunder", "hund");
}

TEST(Stems, OtherWordsStay) {
  EXPECT_THAT(Stems("cs").of("pes"), ElementsAre("pes"));  // an ending leaves three letters
  EXPECT_THAT(Stems("cs").of("psi"), ElementsAre("psi"));
  EXPECT_THAT(Stems("uk").of("собаки"), ElementsAre("собаки"));
  EXPECT_THROW(Stems("no such language"), InputError);
}

TEST(Stems, HanCharactersStandBesideTheirWord) {
  EXPECT_THAT(Stems("zh").of("雪山"), ElementsAre("雪山", "雪", "山"));
  EXPECT_THAT(Stems("zh").of("狗"), ElementsAre("狗"));
  EXPECT_THAT(Stems("ja").of("走る犬"), ElementsAre("走る犬", "走", "る", "犬"));
  EXPECT_THAT(Stems("zh").of("T恤"), ElementsAre("T恤", "恤"));
}

TEST(Stems, OfATokenizerCountAsWords) {
  TokenizerOptions options;
  options.stems = true;
  EXPECT_THAT(Tokenizer("en", options).words("Two dogs were running"),
              ElementsAre("two", "dog", "were", "run"));
  options.max_words = 2;
  EXPECT_THAT(Tokenizer("zh", options).words("攀登 雪山"), ElementsAre("攀登", "攀"));
  options.given = true;
  EXPECT_THAT(Tokenizer("de", options).words("zwei Hunde"), ElementsAre("zwei", "hund"));
}

}  // namespace
}  // namespace hinny
