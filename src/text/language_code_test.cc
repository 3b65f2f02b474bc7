#include "text/language_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "base/error.h"
#include "text/stems.h"
#include "text/tokenizer.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::Optional;

TEST(LanguageCode, HasOneSpelling) {
  for (const char* code : {"de", "DE", "deu", "ger", "deu_Latn", "de-Latn", "deu-latn"}) {
    EXPECT_THAT(canonical_language(code), Optional(std::string("de"))) << code;
  }
  const std::vector<std::pair<std::string, std::string>> codes = {{"zh_CN", "zh-CN"},
                                                                  {"cmn", "zh"},
                                                                  {"zho_Hans", "zh"},
                                                                  {"zh-hans", "zh"},
                                                                  {"zho_Hant", "zh-Hant"},
                                                                  {"ZH-hant-tw", "zh-TW"},
                                                                  {"iw", "he"},
                                                                  {"es-419", "es-419"},
                                                                  {"pt-br", "pt-BR"},
                                                                  {"sh", "sr-Latn"},
                                                                  {"srp_Latn", "sr-Latn"},
                                                                  {"in", "id"},
                                                                  {"tl", "fil"},
                                                                  {"arb_Arab", "ar"},
                                                                  {"zsm_Latn", "ms"},
                                                                  {"rum", "ro"},
                                                                  {"de-CH-1901", "de-CH-1901"}};
  for (const auto& [given, canonical] : codes) {
    EXPECT_THAT(canonical_language(given), Optional(canonical)) << given;
  }
}

TEST(LanguageCode, IsRefusedWhereItIsNone) {
  for (const char* code : {"", "e", "i", "xx1", "German", "x-klingon", "419", "en-", "-en",
                           "en--us", "de DE", "de/x", "..", "no language!", "e\xCC\x81n"}) {
    EXPECT_FALSE(is_language_code(code)) << code;
  }
  EXPECT_FALSE(is_language_code("en" + std::string(100000, '-')));
  try {
    locale_of("xx1");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "language 'xx1' (expected a code of BCP 47, ISO 639 or FLORES, such as de, pt-BR, "
                 "deu or deu_Latn)");
  }
  EXPECT_STREQ(locale_of("german").getLanguage(), "german");  // as older files hold
}

// What ICU refuses of this form is taken for a want of memory.
TEST(LanguageCode, IsWhateverLooksLikeOne) {
  std::string code;
  for (int i = 0; i < 26 * 26 * 27; ++i) {
    code = {static_cast<char>('a' + i % 26), static_cast<char>('a' + i / 26 % 26)};
    if (i >= 26 * 26) code += static_cast<char>('a' + i / (26 * 26) - 1);
    EXPECT_EQ(is_language_code(code), code != "und") << code;
  }
  for (const char* more : {"xx-Zzzz", "qqq-QQ", "en-Latn-ZZ", "SGN-us", "art-Xxxx", "zh_hant_tw"}) {
    EXPECT_TRUE(is_language_code(more)) << more;
  }
  EXPECT_FALSE(is_language_code("UND-Latn"));
}

TEST(LanguageCode, ChoosesTheRulesOfWords) {
  EXPECT_EQ(base_language("zh-Hant-TW"), "zh");
  EXPECT_EQ(base_language("arz"), "ar");
  EXPECT_EQ(base_language("yue"), "zh");
  EXPECT_EQ(base_language("nob_Latn"), "no");
  EXPECT_EQ(Tokenizer("fra_Latn").words("L'homme"), Tokenizer("fr").words("L'homme"));
  EXPECT_EQ(normalise("كَلْبٌ", "arz"), "كلب");
  EXPECT_EQ(normalise("ISIK", "tur_Latn"), "ısık");
  EXPECT_EQ(Stems("DEU").of("hunde"), Stems("de").of("hunde"));
}

TEST(LanguageCode, MeansOneOfSeveral) {
  const std::vector<std::string> plain = {"de", "zh", "no", "ar", "pt-BR", "zh_CN"};
  const std::vector<std::pair<std::string, std::string>> meant = {
      {"de", "de"},    {"de-AT", "de"},    {"deu_Latn", "de"}, {"nb", "no"},      {"arz", "ar"},
      {"pt", "pt-BR"}, {"pt_PT", "pt-BR"}, {"zh-CN", "zh_CN"}, {"zh_CN", "zh_CN"}};
  for (const auto& [code, language] : meant) {
    EXPECT_THAT(find_language(plain, code), Optional(language)) << code;
  }
  const std::vector<std::string> scripts = {"zh-Hans", "zh-Hant"};
  EXPECT_THAT(find_language(scripts, "zh-TW"), Optional(std::string("zh-Hant")));
  EXPECT_THAT(find_language(scripts, "zh"), Optional(std::string("zh-Hans")));
  EXPECT_THAT(find_language(scripts, "zho_Hant"), Optional(std::string("zh-Hant")));
  EXPECT_EQ(find_language(plain, "fr"), std::nullopt);
  EXPECT_EQ(find_language(plain, "d"), std::nullopt);
  EXPECT_EQ(find_language(plain, "den"), std::nullopt);  // Slave, not German
  // Neither is nearer.
  EXPECT_EQ(find_language(std::vector<std::string>{"es-MX", "es-AR"}, "es"), std::nullopt);
  // Data of earlier versions may hold what is no code.
  EXPECT_THAT(find_language(std::vector<std::string>{"german"}, "german"),
              Optional(std::string("german")));
}

}  // namespace
}  // namespace hinny
