// IEEE half precision and bfloat16 <-> float, for arrays on disk.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hinny {

inline float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000U) << 16U;
  const std::uint32_t rest = static_cast<std::uint32_t>(bits & 0x7FFFU) << 13U;
  // 2^112 moves the exponent bias from 15 to 127 and normalises subnormals on the way; infinity and
  // NaN keep an all-ones exponent. Both are computed: a loop without branches vectorises.
  const auto finite = std::bit_cast<std::uint32_t>(std::bit_cast<float>(rest) * 0x1.0p112F);
  const std::uint32_t other = 0x7F800000U | (rest & 0x007FFFFFU);
  return std::bit_cast<float>(sign | ((bits & 0x7C00U) == 0x7C00U ? other : finite));
}

// Rounds to nearest, ties to even. Beyond 65504 (rounded) the result is infinite.
inline std::uint16_t float_to_half(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
  std::uint32_t half = 0;
  if (magnitude > 0x7F800000U) {
    half = 0x7E00U;  // NaN
  } else if (magnitude >= std::bit_cast<std::uint32_t>(65520.0F)) {
    half = 0x7C00U;  // infinity: 65520 lies halfway between 65504 and the next step
  } else if (magnitude < std::bit_cast<std::uint32_t>(0x1.0p-14F)) {
    // Subnormal: the last place of 0.5 is 2^-24, that of a subnormal half, so the sum rounds there.
    half = std::bit_cast<std::uint32_t>(std::bit_cast<float>(magnitude) + 0.5F) -
           std::bit_cast<std::uint32_t>(0.5F);
  } else {
    const std::uint32_t odd = (magnitude >> 13U) & 1U;
    half = (magnitude - (112U << 23U) + 0x0FFFU + odd) >> 13U;  // bias 127 -> 15
  }
  return static_cast<std::uint16_t>(sign | half);
}

// Rounds to nearest, ties to even. NaN stays NaN.
inline std::uint16_t float_to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return static_cast<std::uint16_t>((bits >> 16U) | 0x40U);
  return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U);
}

inline float bfloat16_to_float(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

// Many, as files keep them, at any address: numbers [out.size()], of two bytes each.
void halves_to_floats(std::span<const std::byte> numbers, std::span<float> out);
void bfloat16s_to_floats(std::span<const std::byte> numbers, std::span<float> out);

}  // namespace hinny
