// Bytes of picture files, written by hand.
#pragma once

#include <cstdint>
#include <string>

namespace hinny {

// The most significant byte first.
inline std::string big(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
  return text;
}

// Of HEIC, AVIF and MP4.
inline std::string box(const std::string& type, const std::string& content) {
  return big(content.size() + 8, 4) + type + content;
}

}  // namespace hinny
