// What matrix products read and what they add up in.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace hinny {

// The upper half of a float: its range with 8 bits of precision, at half the memory traffic.
struct BFloat16 {
  std::uint16_t bits = 0;
};

inline float to_float(BFloat16 value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16U);
}
inline float to_float(float value) { return value; }
inline double to_float(double value) { return value; }

// Rounds to nearest, ties to even; branch-free, so that loops over it vectorise (a NaN stays one
// unless its payload lies in the lower half alone, which no arithmetic produces).
inline void assign(BFloat16& to, float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  to.bits = static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}
inline void assign(float& to, float value) { to = value; }
inline void assign(double& to, double value) { to = value; }

// Sums of BFloat16 products are floats.
template <typename T>
struct SumOf {
  using type = T;
};
template <>
struct SumOf<BFloat16> {
  using type = float;
};
template <typename T>
using Sum = typename SumOf<T>::type;

// out[i] = in[i], rounded where T is narrower.
template <typename T>
void convert(const Sum<T>* in, std::size_t count, T* out) {
  for (std::size_t i = 0; i < count; ++i) assign(out[i], in[i]);
}

}  // namespace hinny
