// The picture sizes that streams of HEVC and AV1 state.
#pragma once

#include <cstddef>
#include <span>

#include "vision/picture.h"

namespace hinny {

// libheif keeps a picture whole, its streams and what it makes of them.
constexpr std::int64_t kMostHeifPixels = 130'000'000;

// Both throw RequestError where it is more than kMostHeifPixels.

// One unit (NAL) of HEVC: its sequence parameter set says it; others are taken as they are.
void check_hevc_unit(std::span<const std::byte> unit);
// Units (OBU) of AV1: the sequence header says it. What is no unit ends them.
void check_av1_units(std::span<const std::byte> units);

}  // namespace hinny
