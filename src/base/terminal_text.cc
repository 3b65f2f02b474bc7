#include "base/terminal_text.h"

#include <algorithm>

#include "base/utf8.h"

namespace hinny {
namespace {

// Bytes of the character at the start of `text`, 0 where there is none.
std::size_t length_at(std::string_view text) {
  if (static_cast<unsigned char>(text.front()) < 0x80U) return 1;
  for (std::size_t length = 1; length <= std::min<std::size_t>(4, text.size()); ++length) {
    if (is_utf8(text.substr(0, length))) return length;
  }
  return 0;
}

// Of a character of at most three bytes; the terminal obeys none of four.
unsigned code_of(std::string_view character) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(character[i]); };
  if (character.size() == 1) return at(0);
  if (character.size() == 2) return (at(0) & 0x1FU) << 6U | (at(1) & 0x3FU);
  return (at(0) & 0x0FU) << 12U | (at(1) & 0x3FU) << 6U | (at(2) & 0x3FU);
}

bool is_obeyed(unsigned code) {
  return code < 0x20U || (code >= 0x7FU && code <= 0x9FU) || (code >= 0x2028U && code <= 0x202EU) ||
         (code >= 0x2066U && code <= 0x2069U);
}

std::string escape(unsigned code) {
  if (code == '\n') return "\\n";
  if (code == '\r') return "\\r";
  if (code == '\t') return "\\t";
  return code < 0x20U ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
}

std::string escaped(std::string_view text, bool several_lines) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = length_at(text);
    const std::string_view one = text.substr(0, std::max<std::size_t>(1, length));
    text.remove_prefix(one.size());
    if (length == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(one[0]));
    } else if (length < 4 && is_obeyed(code_of(one)) && !(several_lines && one == "\n")) {
      result += escape(code_of(one));
    } else {
      result += one;
    }
  }
  return result;
}

}  // namespace

std::string terminal_text(std::string_view text) { return escaped(text, false); }
std::string terminal_lines(std::string_view text) { return escaped(text, true); }

void print_lines(std::FILE* to, std::string_view text) {
  fmt::print(to, "{}", terminal_lines(text));
}

void put_line(std::FILE* to, std::string_view text) {
  const bool ended = text.ends_with('\n');
  if (ended) text.remove_suffix(1);
  fmt::print(to, "{}{}", terminal_text(text), ended ? "\n" : "");
}

}  // namespace hinny
