#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace hinny {
namespace {

bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

// Length of the well-formed sequence at the start of `text`, or 0.
std::size_t sequence_length(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : static_cast<unsigned char>(0);
  };
  const unsigned first = at(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return is_continuation(at(1)) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    if (!is_continuation(at(1)) || !is_continuation(at(2))) return 0;
    if (first == 0xE0U && at(1) < 0xA0U) return 0;  // overlong
    if (first == 0xEDU && at(1) > 0x9FU) return 0;  // surrogate
    return 3;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    if (!is_continuation(at(1)) || !is_continuation(at(2)) || !is_continuation(at(3))) return 0;
    if (first == 0xF0U && at(1) < 0x90U) return 0;  // overlong
    if (first == 0xF4U && at(1) > 0x8FU) return 0;  // above U+10FFFF
    return 4;
  }
  return 0;
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    std::uint64_t eight = 0;
    if (text.size() >= sizeof eight) {  // most text is ASCII for a while
      std::memcpy(&eight, text.data(), sizeof eight);
      if ((eight & 0x8080808080808080U) == 0) {
        text.remove_prefix(sizeof eight);
        continue;
      }
    }
    const std::size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace hinny
