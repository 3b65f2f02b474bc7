// The caption lengths and words of bench/peers/workload.py: both sides of a comparison do the same
// work.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace hinny {

inline std::vector<std::int64_t> caption_lengths(std::int64_t count, std::uint32_t seed = 1) {
  const auto draw = [&seed] {
    seed = seed * 1664525U + 1013904223U;
    return static_cast<std::int64_t>(seed >> 16U);
  };
  std::vector<std::int64_t> lengths;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t first = draw() % 8, second = draw() % 8;
    lengths.push_back(5 + first + second + (draw() % 16 == 0 ? 13 : 0));
  }
  return lengths;
}

// Word ids in [1, 4000), the probability of id w falling as 1 / w: 34.5k tokens hold 3.4k distinct
// words (as many words of real English captions hold 2.5k).
inline std::vector<std::int64_t> caption_words(std::int64_t count, std::uint32_t seed = 2) {
  std::vector<std::int64_t> words;
  for (std::int64_t i = 0; i < count; ++i) {
    seed = seed * 1664525U + 1013904223U;
    words.push_back(static_cast<std::int64_t>(std::pow(4000.0, (seed >> 16U) / 65536.0)));
  }
  return words;
}

}  // namespace hinny
