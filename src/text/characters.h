// Characters (code points) of UTF-8 text.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace hinny {

// Calls use(begin, end) with the bytes of each character.
template <typename Use>
void for_each_character(std::string_view text, const Use& use) {
  for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
    for (++end; end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U;)
      ++end;
    use(begin, end);
  }
}

inline std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for_each_character(text, [&](std::size_t, std::size_t) { ++count; });
  return count;
}

// Then composing and decomposing (name_forms.h) leave it as it is.
inline bool is_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

// Whether it is a Han character or kana, one of which says as much as letters together: U+3040 to
// U+30FF and U+3400 to U+9FFF, by the bytes that they begin with.
inline bool says_much(std::string_view character) {
  if (character.size() != 3) return false;
  const auto first = static_cast<unsigned char>(character[0]);
  const auto second = static_cast<unsigned char>(character[1]);
  return (first == 0xE3U && second >= 0x81U && second <= 0x83U) ||
         (first == 0xE3U && second >= 0x90U) || (first >= 0xE4U && first <= 0xE9U);
}

}  // namespace hinny
