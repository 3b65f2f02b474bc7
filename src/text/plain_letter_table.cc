#include "text/plain_letter_table.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include "text/characters.h"
#include "text/plain_letters.h"

namespace hinny {
namespace {

constexpr std::size_t kFirstLetter = 0x80, kLastLetter = 0x6FF;  // Latin to Arabic

// Han characters, kana and Hangul: composed again they are what they were.
bool stays_whole(UChar32 letter) {
  return (letter >= 0x4E00 && letter <= 0x9FFF) || (letter >= 0x3041 && letter <= 0x3096) ||
         (letter >= 0x30A1 && letter <= 0x30FA) || (letter >= 0xAC00 && letter <= 0xD7A3);
}

}  // namespace

PlainLetterTable::PlainLetterTable() : letters_(kLastLetter + 1 - kFirstLetter) {}

// None of a mark, and of a letter that may change with what stands beside it.
const std::string* PlainLetterTable::letter(std::string_view character, std::int32_t code) {
  if (code < static_cast<std::int32_t>(kFirstLetter) ||
      code > static_cast<std::int32_t>(kLastLetter) || (U_GET_GC_MASK(code) & U_GC_L_MASK) == 0) {
    return nullptr;
  }
  auto& known = letters_[static_cast<std::size_t>(code) - kFirstLetter];
  if (!known) known = plain_letters(character);
  return &*known;
}

std::string PlainLetterTable::of(std::string_view word) {
  if (is_ascii(word)) return std::string(word);
  std::string plain;
  plain.reserve(word.size());
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(word.data());
  for (std::size_t end = 0; end < word.size();) {
    const std::size_t begin = end;
    UChar32 code = 0;
    U8_NEXT(bytes, end, word.size(), code);
    const std::string_view character = word.substr(begin, end - begin);
    if (code >= 0 && (code < 0x80 || stays_whole(code))) {
      plain += character;
    } else if (const std::string* known = letter(character, code)) {
      plain += *known;
    } else {
      return plain_letters(word);
    }
  }
  return plain;
}

}  // namespace hinny
