// What a stream of JPEG XL states before its pixels (ISO/IEC 18181-1). Internal to this level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinny {

// The stream of a file of boxes (jxlc, jxlp), or a bare one as it is. Throws RequestError where
// there is none.
std::vector<std::byte> jxl_stream(std::vector<std::byte> file);

struct JxlHeader {
  std::uint64_t width = 0, height = 0;
  std::size_t extra_channels = 0;  // beside the colours: transparency, depth
  bool xyb = false;                // colours of its own, which need no profile
  bool animated = false, timecodes = false;
};

// A file may hold frames of any size, from which the first that is shown is made, and libjxl takes
// memory for what they state. Throws RequestError where one of them is of more pixels than the
// picture and than kMostHiddenPixels, or cannot be followed. `frames`: the stream from the first
// on.
constexpr std::uint64_t kMostHiddenPixels = 1'000'000;
// Returns how that first one is made.
enum class JxlMade {
  by_parts,   // one after the other
  whole,      // of numbers that are all kept until the last is there: lossless pictures
  of_frames,  // of others
};
JxlMade check_frames(std::span<const std::byte> frames, const JxlHeader& header);

}  // namespace hinny
