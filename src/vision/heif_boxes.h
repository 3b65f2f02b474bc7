// The boxes that a HEIF file is made of (ISO/IEC 14496-12). Internal to this level.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "vision/bounded_bytes.h"

namespace hinny {

// Calls use(type, content, box) for each box in `bytes`; what is none ends them.
template <typename Use>
void for_each_box(std::span<const std::byte> bytes, const Use& use) {
  const BoundedBytes numbers(bytes);
  for (std::size_t at = 0; at + 8 <= bytes.size();) {
    std::uint64_t size = numbers.big32(at);
    const std::size_t head = size == 1 ? 16 : 8;
    if (size == 1) {
      if (at + head > bytes.size()) return;
      size = std::uint64_t{numbers.big32(at + 8)} << 32U | numbers.big32(at + 12);
    }
    if (size == 0) size = bytes.size() - at;
    if (size < head || size > bytes.size() - at) return;
    const auto box = bytes.subspan(at, static_cast<std::size_t>(size));
    use(std::string_view(reinterpret_cast<const char*>(box.data()) + 4, 4), box.subspan(head), box);
    at += box.size();
  }
}

// The file without what stands behind its boxes: films, what makers of phones add, zeros.
std::span<const std::byte> without_trailer(std::span<const std::byte> file);

// Whether there is a box of this type, not inside another.
bool has_box(std::span<const std::byte> file, std::string_view type);

// The file with auxiliary pictures and thumbnails that belong to several pictures left to one of
// them, the main one where it is among them: older versions of libheif refuse such a file whole.
// Empty where there are none.
std::vector<std::byte> with_single_owners(std::span<const std::byte> file);

}  // namespace hinny
