#include "text/plain_letter_table.h"

#include <gtest/gtest.h>
#include <unicode/unistr.h>

#include "text/plain_letters.h"

namespace hinny {
namespace {

TEST(PlainLetterTable, SaysWhatPlainLettersSays) {
  const auto utf8 = [](UChar32 letter) {
    std::string text;
    return icu::UnicodeString(letter).toUTF8String(text);
  };
  PlainLetterTable many;
  std::string before = "x";
  for (UChar32 letter = 0x20; letter < 0x1'0000; ++letter) {
    if (letter > 0xD7B0 && letter < 0xF900) continue;  // surrogates and what nobody has defined
    const std::string text = utf8(letter);
    for (const std::string& word :
         {text, before + text, "a" + text + "e", text + "\u0301", "가" + text}) {
      ASSERT_EQ(many.of(word), plain_letters(word)) << word;
    }
    before = text;
  }
}

}  // namespace
}  // namespace hinny
