#include "text/joined_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include "base/error.h"
#include "base/random.h"
#include "text/tokenizer.h"

namespace hinny {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Words = std::vector<std::string>;

Words split(const std::string& language, std::string_view text) {
  return JoinedWords(language).split(text);
}

// What join(split(text)) must give.
std::string with_single_spaces(const std::string& text, const std::string& language) {
  const auto normal = icu::UnicodeString::fromUTF8(normalise(text, language));
  icu::UnicodeString result;
  for (int32_t i = 0; i < normal.length(); i = normal.moveIndex32(i, 1)) {
    const UChar32 letter = normal.char32At(i);
    const bool space = u_isUWhiteSpace(letter);
    if (!space || !result.endsWith(u' ')) result.append(space ? u' ' : letter);
  }
  if (result.startsWith(u' ')) result.remove(0, 1);
  if (result.endsWith(u' ')) result.truncate(result.length() - 1);
  std::string utf8;
  return result.toUTF8String(utf8);
}

TEST(JoinedWords, PunctuationStaysAndJoinersSayWhereNoSpaceWas) {
  EXPECT_THAT(
      split("en", "A man, (left)  isn't here... OK!?"),
      ElementsAre("a", "man", "￭,", "(", "￭left", "￭)", "isn't", "here", "￭...", "ok", "￭!", "￭?"));
  EXPECT_THAT(split("de", "„3,5 €“ – T-Shirt."),
              ElementsAre("„", "￭3,5", "€", "￭“", "–", "t", "￭-", "￭shirt", "￭."));
  EXPECT_THAT(split("fr", "« Où ? »"), ElementsAre("«", "où", "?", "»"));
  EXPECT_THAT(split("zh", "一个男人。"), ElementsAre("一个", "￭男人", "￭。"));
  EXPECT_THAT(split("ja", "犬が走る"), ElementsAre("犬", "￭が", "￭走る"));
  EXPECT_THAT(split("ar", "كلب، يجري"), ElementsAre("كلب", "￭،", "يجري"));
}

TEST(JoinedWords, OnlyARunOfOneSymbolStaysTogether) {
  EXPECT_THAT(split("en", "--- !!?? . . 😀😀"), ElementsAre("---", "!!", "￭??", ".", ".", "😀😀"));
  EXPECT_THAT(split("zh", "男人男人"), ElementsAre("男人", "￭男人"));
  EXPECT_THAT(split("en", "a.\"."), ElementsAre("a", "￭.", "￭\"", "￭."));
}

TEST(JoinedWords, AJoinerInTheTextBecomesAPlainSquare) {
  EXPECT_THAT(split("en", "￭a ￭"), ElementsAre("■", "￭a", "■"));
}

TEST(JoinedWords, TextComesBackInEveryLanguage) {
  const std::vector<std::pair<std::string, std::string>> texts = {
      {"en", "Two dogs' balls: \"red\", 3.5 m (park.The end)…  It's 5%-10%!"},
      {"de", "\tEin Mann – „groß“ – fährt\u00A0mit 20 km/h; U-Bahn?\n"},
      {"fr", "L’homme dit : « Aujourd’hui, c'est l' été ! »"},
      {"cs", "Žena v červené bundě, která … „běží“."},
      {"zh", "一个男人（左）在公园里骑自行车，３个孩子在看。"},
      {"ja", "「犬」が公園を走る・・・ﾈｺも。"},
      {"ar", "كَلْبٌ يجري، في الحديقة؟ (٣)"},
      {"th", "สุนัขวิ่งในสวน ๆ"},
      {"en", "__init__ @@ a_b ```` 👩‍👩‍👧🇩🇪🇫🇷 \u00A8x e\u0301 </w> \u0301"},
  };
  for (const auto& [language, text] : texts) {
    EXPECT_EQ(JoinedWords::join(split(language, text)), with_single_spaces(text, language)) << text;
  }
}

TEST(JoinedWords, RandomTextComesBack) {
  const std::vector<UChar32> letters = {
      'a',    'Z',    '7',    ' ',    ' ',    '\t',   '.',    ',',     '\'',    '"',     '-',
      '_',    0xA0,   0xA8,   0xB4,   0x301,  0x308,  0x130,  0x3A3,   0x5D0,   0x628,   0x64B,
      0xE01,  0xE34,  0x200B, 0x200D, 0x2028, 0x3000, 0x4E00, 0x30AB,  0x3042,  0xFF76,  0xFFED,
      0x25A0, 0xFE0F, 0x20E3, 0xAC00, 0xAD,   0xD,    0x0,    0x1F600, 0x1F469, 0x1F1E9, 0x1F3FB};
  Random random(1);
  for (const std::string language : {"en", "de", "fr", "cs", "zh", "ja", "ar", "th", "tr"}) {
    JoinedWords words(language);
    for (int round = 0; round < 400; ++round) {
      icu::UnicodeString text;
      for (std::uint64_t i = random.below(30); i > 0; --i) {
        const auto any = static_cast<UChar32>(random.below(0xD800));
        text.append(random.below(8) == 0 ? any : random.pick(letters));
      }
      std::string utf8;
      text.toUTF8String(utf8);
      const Words tokens = words.split(utf8);
      ASSERT_EQ(JoinedWords::join(tokens), with_single_spaces(utf8, language)) << utf8;
      for (const std::string& token : tokens) {
        const bool joined = token.starts_with(kJoiner);
        EXPECT_GT(token.size(), joined ? kJoiner.size() : 0U);
        EXPECT_EQ(token.find(kJoiner, 1), std::string::npos);
        EXPECT_EQ(with_single_spaces(token.substr(joined ? 3 : 0), language).find(' '),
                  std::string::npos);
      }
    }
  }
}

TEST(JoinedWords, AnyTokensCanBeJoined) {
  EXPECT_EQ(JoinedWords::join({}), "");
  EXPECT_EQ(JoinedWords::join({"￭a", "b", "￭."}), "a b.");
  EXPECT_EQ(JoinedWords::join({"", "￭", "", "a", "", "￭", "b", "￭"}), "a b");
  EXPECT_EQ(JoinedWords::join({"a￭b", "￭￭c￭", "d"}), "abc d");
}

TEST(JoinedWords, EmptyAndBrokenText) {
  EXPECT_THAT(split("en", ""), IsEmpty());
  EXPECT_THAT(split("en", " \t\u3000\u200B"), IsEmpty());
  EXPECT_THROW(split("en", "ab\xff"), InputError);
  EXPECT_THROW(JoinedWords("no language!"), InputError);
}

TEST(JoinedWords, OneObjectServesManyTexts) {
  JoinedWords words("en");
  EXPECT_THAT(words.split("Run!"), ElementsAre("run", "￭!"));
  EXPECT_THROW(words.split("\xff"), InputError);
  JoinedWords moved = std::move(words);
  EXPECT_THAT(moved.split("! no"), ElementsAre("!", "no"));
}

}  // namespace
}  // namespace hinny
