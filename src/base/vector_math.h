// Functions of one number without branches or calls, so that loops over them vectorise.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace hinny {

// e^x to 2 units in the last place; 0 and infinity are replaced by e^-87 and e^88. NaN stays NaN.
[[gnu::always_inline]] inline float quick_exp(float x) {
  x = std::min(std::max(x, -87.0F), 88.0F);
  // 1.5 * 2^23: adding it rounds to a whole number, which then stands in the lowest bits.
  constexpr float kRound = 12582912.0F;
  const float shifted = x * 1.44269504F + kRound;
  const float power = shifted - kRound;
  const float r = (x - power * 0.693359375F) + power * 2.12194440e-4F;  // ln 2 in two parts
  float p = 1.9875691500e-4F;                                           // Cephes' expf
  p = p * r + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * r * r + r + 1.0F;
  const std::uint32_t scale = (std::bit_cast<std::uint32_t>(shifted) - 0x4B400000U + 127U) << 23U;
  return p * std::bit_cast<float>(scale);
}
inline double quick_exp(double x) { return std::exp(x); }

template <typename T>
[[gnu::always_inline]] inline T sigmoid(T x) {
  return T{1} / (T{1} + quick_exp(-x));
}

// To 1e-7 (absolute) in float.
template <typename T>
[[gnu::always_inline]] inline T quick_tanh(T x) {
  return T{1} - T{2} / (quick_exp(x + x) + T{1});
}

}  // namespace hinny
