#include "base/path_text.h"

#include <algorithm>

#include "base/utf8.h"

namespace hinny {
namespace {

// U+EF80 to U+EFFF is EE BE 80 to EE BF BF.
bool starts_private(std::string_view text) {
  return text.size() >= 3 && text[0] == '\xEE' && (text[1] == '\xBE' || text[1] == '\xBF') &&
         (static_cast<unsigned char>(text[2]) & 0xC0U) == 0x80U;
}

// Bytes of the character at the start, 0 where there is none.
std::size_t character(std::string_view text) {
  for (std::size_t length = 1; length <= std::min<std::size_t>(4, text.size()); ++length) {
    if (is_utf8(text.substr(0, length))) return length;
  }
  return 0;
}

void add_byte(std::string& text, char byte) {
  const auto low = static_cast<unsigned char>(byte) & 0x7FU;
  text += '\xEE';
  text += low < 0x40U ? '\xBE' : '\xBF';
  text += static_cast<char>(0x80U | (low & 0x3FU));
}

}  // namespace

std::string path_text(std::string_view name) {
  if (is_utf8(name) && name.find('\xEE') == std::string_view::npos) return std::string(name);
  std::string text;
  while (!name.empty()) {
    std::size_t length = character(name);
    const bool odd = length == 0 || starts_private(name);
    length = std::max<std::size_t>(length, 1);
    for (const char byte : name.substr(0, length)) {
      if (odd) {
        add_byte(text, byte);
      } else {
        text += byte;
      }
    }
    name.remove_prefix(length);
  }
  return text;
}

std::string path_from_text(std::string_view text) {
  std::string name;
  while (!text.empty()) {
    if (starts_private(text)) {
      const unsigned high = text[1] == '\xBF' ? 0x40U : 0;
      name += static_cast<char>(0x80U | high | (static_cast<unsigned char>(text[2]) & 0x3FU));
      text.remove_prefix(3);
    } else {
      name += text.front();
      text.remove_prefix(1);
    }
  }
  return name;
}

}  // namespace hinny
