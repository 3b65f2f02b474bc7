// The chunks of a PNG file, by their heads alone.
#pragma once

#include <cstdint>
#include <string_view>

#include "vision/note_bytes.h"

namespace hinny {

// take(type, at, size) for each up to the end, wherever it stands: `size` bytes lie at `at`. Stops
// where take gives false.
template <typename Take>
void for_each_png_chunk(const NoteBytes& file, Take&& take) {
  constexpr std::size_t kMostChunks = 1'000'000, kHead = 8, kChecksum = 4;
  std::uint64_t at = 8;
  for (std::size_t chunk = 0; chunk < kMostChunks; ++chunk) {
    const std::string head = file.at(at, kHead);
    if (head.size() < kHead) return;
    const std::uint64_t size = NoteBytes::number_in(head, 4, true);
    const std::string_view type = std::string_view(head).substr(4);
    if (type == "IEND" || !take(type, at + kHead, size)) return;
    at += kHead + size + kChecksum;
  }
}

}  // namespace hinny
