// Characters (code points) of UTF-8 text.
#pragma once

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

}  // namespace hinny
