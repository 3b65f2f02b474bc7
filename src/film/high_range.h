// Films with more light than a screen's usual range, as phones make them (HLG, HDR10).
#pragma once

#include <cstdint>
#include <span>

extern "C" {
#include <libavutil/frame.h>
}

namespace hinny::film {

// Pixels of such a frame, which stand as its curve and primaries have them, become sRGB: white as
// on paper (203 candelas a square metre) stays white, and what is brighter is white too. Those of
// other frames stay as they are.
void to_standard_range(const AVFrame& frame, std::span<std::uint8_t> rgb);

}  // namespace hinny::film
