// Numbers spread over bins, so that a linear model can tell ranges apart.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace hinny {

// Adds `weight` to the two bins whose centres enclose `value`; centres lie evenly from `low` to
// `high`, and values beyond them count as those.
inline void add_soft(float value, float low, float high, float weight, std::span<float> bins) {
  const auto last = static_cast<float>(bins.size() - 1);
  const float at = std::clamp((value - low) / (high - low) * last, 0.0F, last);
  const auto left = std::min(static_cast<std::size_t>(at), bins.size() - 2);
  const float share = at - static_cast<float>(left);
  bins[left] += weight * (1 - share);
  bins[left + 1] += weight * share;
}

}  // namespace hinny
