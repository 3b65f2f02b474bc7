#include "base/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace hinny {
namespace {

TEST(Half, EveryHalfComesBackAndHalvesRoundToEven) {
  for (unsigned bits = 0; bits <= 0xFFFFU; ++bits) {
    const float value = half_to_float(static_cast<std::uint16_t>(bits));
    if (!std::isnan(value)) {
      ASSERT_EQ(float_to_half(value), bits);
      // Midway to the next half: the even one of the two.
      const float next = half_to_float(static_cast<std::uint16_t>(bits + 1));
      if ((bits & 0x7FFFU) < 0x7BFFU) {
        ASSERT_EQ(float_to_half((value + next) / 2), bits + (bits & 1U)) << value;
        ASSERT_EQ(float_to_half(std::nextafter((value + next) / 2, value)), bits) << value;
      }
    }
  }
  EXPECT_EQ(float_to_half(65519.996F), 0x7BFF);
  EXPECT_EQ(float_to_half(65520.0F), 0x7C00);
  EXPECT_EQ(float_to_half(-std::numeric_limits<float>::infinity()), 0xFC00);
  EXPECT_TRUE(std::isnan(half_to_float(float_to_half(std::nanf("")))));
}

TEST(Half, EveryBfloat16ComesBackAndRoundsToEven) {
  for (unsigned bits = 0; bits <= 0xFFFFU; ++bits) {
    const float value = bfloat16_to_float(static_cast<std::uint16_t>(bits));
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(value))));
      continue;
    }
    ASSERT_EQ(float_to_bfloat16(value), bits);
    const auto midway = std::bit_cast<float>((bits << 16U) | 0x8000U);
    if (std::isfinite(value)) {
      ASSERT_EQ(float_to_bfloat16(midway), bits + (bits & 1U)) << value;
    }
  }
  // A NaN whose first digits are zero is no infinity.
  EXPECT_TRUE(std::isnan(bfloat16_to_float(float_to_bfloat16(std::bit_cast<float>(0x7F800001U)))));
}

// All of them, at an odd address.
TEST(Half, ManyAreWidenedAsOneIs) {
  std::vector<std::byte> bytes(1);
  for (unsigned bits = 0; bits <= 0xFFFFU; ++bits) {
    bytes.push_back(static_cast<std::byte>(bits & 0xFFU));
    bytes.push_back(static_cast<std::byte>(bits >> 8U));
  }
  const auto numbers = std::span<const std::byte>(bytes).subspan(1);
  std::vector<float> halves(1U << 16U), bfloat16s(1U << 16U);
  halves_to_floats(numbers, halves);
  bfloat16s_to_floats(numbers, bfloat16s);
  for (unsigned i = 0; i <= 0xFFFFU; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const auto same = [](float a, float b) {
      return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
    };
    ASSERT_TRUE(same(halves[i], half_to_float(bits))) << i;
    ASSERT_TRUE(same(bfloat16s[i], bfloat16_to_float(bits))) << i;
  }
  // By what the format says: sign, exponent, digits.
  EXPECT_EQ(halves[0x3C01], 1 + 1.0F / 1024);
  EXPECT_EQ(halves[0x8001], -std::ldexp(1.0F, -24));
  EXPECT_EQ(halves[0x7C00], std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(halves[0x7C01]) && std::isnan(halves[0xFE00]));
  EXPECT_THROW(halves_to_floats(numbers.first(3), std::span(halves).first(1)),
               std::invalid_argument);
}

}  // namespace
}  // namespace hinny
