// Numbers in a picture file, with bounds: reading past the end means that the file is cut off.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/request_error.h"

namespace hinny {

class BoundedBytes {
 public:
  explicit BoundedBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::uint32_t byte(std::size_t at) const {
    if (at >= bytes_.size()) throw RequestError("damaged: the picture is cut off");
    return std::to_integer<std::uint32_t>(bytes_[at]);
  }
  std::uint32_t big16(std::size_t at) const { return byte(at) << 8U | byte(at + 1); }
  std::uint32_t big32(std::size_t at) const { return big16(at) << 16U | big16(at + 2); }
  std::uint32_t little16(std::size_t at) const { return byte(at) | byte(at + 1) << 8U; }
  std::uint32_t little24(std::size_t at) const { return little16(at) | byte(at + 2) << 16U; }
  std::uint32_t little32(std::size_t at) const { return little24(at) | byte(at + 3) << 24U; }
  bool has(std::size_t at, std::string_view text) const {
    if (at + text.size() > bytes_.size()) return false;
    return std::equal(text.begin(), text.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(at),
                      [](char a, std::byte b) { return std::byte(a) == b; });
  }

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace hinny
