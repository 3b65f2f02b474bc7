#include "tokenizer/letters.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace hinny {
namespace {

constexpr UChar32 kCapitalDottedI = 0x130;  // the one letter whose small form is two

}  // namespace

UChar32 next_letter(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<UChar32>(static_cast<unsigned char>(text[i])) : 0;
  };
  const std::size_t size = letter_bytes(text[at]);
  const std::size_t start = at;
  at += size;
  if (size == 1) return byte(start);
  if (size == 2) return (byte(start) & 0x1F) << 6 | (byte(start + 1) & 0x3F);
  if (size == 3) {
    return (byte(start) & 0x0F) << 12 | (byte(start + 1) & 0x3F) << 6 | (byte(start + 2) & 0x3F);
  }
  return (byte(start) & 0x07) << 18 | (byte(start + 1) & 0x3F) << 12 |
         (byte(start + 2) & 0x3F) << 6 | (byte(start + 3) & 0x3F);
}

std::size_t letter_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  if (byte < 0xC0U) return 1;
  if (byte < 0xE0U) return 2;
  return byte < 0xF0U ? 3 : 4;
}

void append_letter(UChar32 letter, std::string& text) {
  const auto put = [&](UChar32 byte) { text.push_back(static_cast<char>(byte)); };
  if (letter < 0x80) {
    put(letter);
  } else if (letter < 0x800) {
    put(0xC0 | letter >> 6);
    put(0x80 | (letter & 0x3F));
  } else if (letter < 0x10000) {
    put(0xE0 | letter >> 12);
    put(0x80 | (letter >> 6 & 0x3F));
    put(0x80 | (letter & 0x3F));
  } else {
    put(0xF0 | letter >> 18);
    put(0x80 | (letter >> 12 & 0x3F));
    put(0x80 | (letter >> 6 & 0x3F));
    put(0x80 | (letter & 0x3F));
  }
}

bool is_space(UChar32 letter) { return u_isUWhiteSpace(letter) != 0; }

bool is_ascii_sign(UChar32 letter) {
  return (letter >= '!' && letter <= '/') || (letter >= ':' && letter <= '@') ||
         (letter >= '[' && letter <= '`') || (letter >= '{' && letter <= '~');
}

bool is_sign(UChar32 letter) { return is_ascii_sign(letter) || u_ispunct(letter) != 0; }

bool is_dropped_control(UChar32 letter) {
  if (letter == '\t' || letter == '\n' || letter == '\r') return false;
  const int kind = u_charType(letter);
  return kind == U_CONTROL_CHAR || kind == U_FORMAT_CHAR || kind == U_PRIVATE_USE_CHAR;
}

bool is_chinese(UChar32 letter) {
  return (letter >= 0x4E00 && letter <= 0x9FFF) || (letter >= 0x3400 && letter <= 0x4DBF) ||
         (letter >= 0x20000 && letter <= 0x2A6DF) || (letter >= 0x2A700 && letter <= 0x2B73F) ||
         (letter >= 0x2B740 && letter <= 0x2B81F) || (letter >= 0x2B920 && letter <= 0x2CEAF) ||
         (letter >= 0xF900 && letter <= 0xFAFF) || (letter >= 0x2F800 && letter <= 0x2FA1F);
}

std::string lower_case(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const UChar32 letter = next_letter(text, at);
    append_letter(letter == kCapitalDottedI ? 'i' : u_tolower(letter), result);
    if (letter == kCapitalDottedI) append_letter(0x307, result);
  }
  return result;
}

std::string without_spaces_around(std::string_view text, bool left, bool right) {
  std::size_t begin = 0, end = 0;
  bool begun = !left;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const bool space = is_space(next_letter(text, at));
    if (!begun && !space) {
      begin = start;
      begun = true;
    }
    if (!right || !space) end = at;
  }
  if (!begun || end <= begin) return {};
  return std::string(text.substr(begin, end - begin));
}

}  // namespace hinny
