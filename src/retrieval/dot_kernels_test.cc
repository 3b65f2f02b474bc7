#include "retrieval/dot_kernels.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "base/half.h"
#include "base/random.h"

namespace hinny {
namespace {

class DotKernelsOf : public testing::TestWithParam<Processor> {
 protected:
  const DotKernels& kernels_ = dot_kernels(GetParam());
};

std::vector<std::byte> bfloat16(const std::vector<float>& numbers) {
  std::vector<std::byte> bytes;
  for (const float number : numbers) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(number) >> 16U;
    bytes.push_back(static_cast<std::byte>(bits & 0xFFU));
    bytes.push_back(static_cast<std::byte>(bits >> 8U));
  }
  return bytes;
}

float normal(Random& random) { return static_cast<float>(random.normal()); }

// Whole numbers, so sums are exact in any order; sizes around the kernels' blocks.
TEST_P(DotKernelsOf, ProductsAreRightForEverySize) {
  Random random(1);
  for (const std::size_t columns : {0UL, 1UL, 15UL, 16UL, 17UL, 48UL, 63UL, 65UL, 300UL}) {
    for (const std::size_t rows : {1UL, 3UL, 4UL, 5UL, 9UL, 70UL}) {
      constexpr std::size_t kTimes = 7;
      std::vector<float> w(rows * columns), x(kTimes * columns);
      for (float& number : w) number = static_cast<float>(random.below(9)) - 4.0F;
      for (float& number : x) number = static_cast<float>(random.below(9)) - 4.0F;
      const std::vector<std::int8_t> w8(w.begin(), w.end()), x8(x.begin(), x.end());
      std::vector<float> out(kTimes * rows, -1.0F), half_out(kTimes * rows, -1.0F);
      std::vector<std::int32_t> integer_out(kTimes * rows, -1);
      kernels_.f32(w.data(), rows, columns, x.data(), kTimes, out.data());
      kernels_.bf16(bfloat16(w).data(), rows, columns, x.data(), kTimes, half_out.data());
      kernels_.i8(w8.data(), rows, columns, x8.data(), kTimes, integer_out.data());
      std::vector<const std::int8_t*> apart(rows);
      for (std::size_t r = 0; r < rows; ++r) apart[r] = w8.data() + (rows - 1 - r) * columns;
      std::vector<std::int32_t> apart_out(rows, -1);
      kernels_.i8_apart(apart.data(), rows, columns, x8.data(), apart_out.data());
      for (std::size_t r = 0; r < rows; ++r) {
        EXPECT_EQ(apart_out[r], integer_out[rows - 1 - r]) << columns << " " << rows;
      }
      for (std::size_t t = 0; t < kTimes; ++t) {
        for (std::size_t r = 0; r < rows; ++r) {
          float sum = 0;
          for (std::size_t i = 0; i < columns; ++i) sum += w[r * columns + i] * x[t * columns + i];
          EXPECT_EQ(out[t * rows + r], sum) << columns << " " << rows;
          EXPECT_EQ(half_out[t * rows + r], sum) << columns << " " << rows;
          EXPECT_EQ(integer_out[t * rows + r], static_cast<int>(sum)) << columns << " " << rows;
        }
      }
    }
  }
}

TEST_P(DotKernelsOf, ProductsOfBytesAreRightForAnyNumberOfVectors) {
  Random random(5);
  for (const std::size_t columns : {0UL, 1UL, 31UL, 64UL, 255UL, 256UL, 257UL, 600UL}) {
    for (const std::size_t times : {8UL, 15UL, 16UL, 17UL, 33UL, 64UL, 70UL}) {
      for (const std::size_t rows : {1UL, 4UL, 7UL, 257UL}) {
        std::vector<std::int8_t> w(rows * columns), x(times * columns);
        for (std::int8_t& number : w) number = static_cast<std::int8_t>(random.below(256) - 128);
        for (std::int8_t& number : x) number = static_cast<std::int8_t>(random.below(256) - 128);
        std::vector<std::int32_t> out(times * rows, -1);
        kernels_.i8(w.data(), rows, columns, x.data(), times, out.data());
        for (std::size_t t = 0; t < times; ++t) {
          for (std::size_t r = 0; r < rows; ++r) {
            std::int32_t sum = 0;
            for (std::size_t i = 0; i < columns; ++i)
              sum += w[r * columns + i] * x[t * columns + i];
            ASSERT_EQ(out[t * rows + r], sum) << columns << " " << rows << " " << times;
          }
        }
      }
    }
  }
}

TEST_P(DotKernelsOf, TheLargestBytesDoNotOverflow) {
  for (const int sign : {-1, 1}) {
    const std::vector<std::int8_t> w(kMostIntegerColumns, -128);
    const std::vector<std::int8_t> x(kMostIntegerColumns, sign > 0 ? 127 : -128);
    std::int32_t out = 0;
    kernels_.i8(w.data(), 1, w.size(), x.data(), 1, &out);
    EXPECT_EQ(out, static_cast<std::int32_t>(w.size()) * -128 * x[0]);
    std::vector<std::int8_t> many_w, many_x;
    for (std::size_t i = 0; i < 4; ++i) many_w.insert(many_w.end(), w.begin(), w.end());
    for (std::size_t i = 0; i < 32; ++i) many_x.insert(many_x.end(), x.begin(), x.end());
    std::vector<std::int32_t> many(4 * 32);
    kernels_.i8(many_w.data(), 4, w.size(), many_x.data(), 32, many.data());
    EXPECT_EQ(many, std::vector<std::int32_t>(4 * 32, out));
  }
}

// Code by code, as the header says.
std::int32_t product_of_codes(const std::uint8_t* row, std::size_t bytes, int bits,
                              const std::int8_t* x) {
  const auto planes = static_cast<std::size_t>(8 / bits);
  std::int32_t sum = 0;
  for (std::size_t p = 0; p < planes; ++p) {
    for (std::size_t b = 0; b < bytes; ++b) {
      const int most = (1 << bits) - 1;
      const int code = (row[b] >> (static_cast<int>(p) * bits)) & most;
      sum += (2 * code - most) * x[p * bytes + b];
    }
  }
  return sum;
}

TEST_P(DotKernelsOf, ProductsOfCodesAreRightForEverySize) {
  Random random(6);
  for (const int bits : {1, 2, 4}) {
    for (const std::size_t bytes : {8UL, 16UL, 24UL, 32UL, 56UL, 64UL, 72UL, 128UL, 264UL}) {
      for (const std::size_t rows : {1UL, 3UL, 4UL, 5UL, 70UL}) {
        for (const std::size_t times : {1UL, 2UL, 5UL, 9UL}) {
          const std::size_t columns = bytes * 8 / static_cast<std::size_t>(bits);
          std::vector<std::uint8_t> w(rows * bytes);
          std::vector<std::int8_t> x(times * columns);
          for (std::uint8_t& byte : w) byte = static_cast<std::uint8_t>(random.below(256));
          for (std::int8_t& number : x) number = static_cast<std::int8_t>(random.below(256) - 128);
          std::vector<std::int32_t> out(times * rows, -1);
          kernels_.codes(w.data(), rows, bytes, bits, x.data(), times, out.data());
          for (std::size_t t = 0; t < times; ++t) {
            for (std::size_t r = 0; r < rows; ++r) {
              ASSERT_EQ(out[t * rows + r],
                        product_of_codes(&w[r * bytes], bytes, bits, &x[t * columns]))
                  << bits << " bits, " << bytes << " bytes, " << rows << " rows, " << times;
            }
          }
        }
      }
    }
  }
}

TEST_P(DotKernelsOf, TheLargestCodesDoNotOverflow) {
  for (const int bits : {1, 2, 4}) {
    const std::vector<std::uint8_t> w(kMostIntegerColumns / 8 * static_cast<std::size_t>(bits),
                                      0xFF);
    const std::vector<std::int8_t> x(kMostIntegerColumns, -128);
    std::int32_t out = 0;
    kernels_.codes(w.data(), 1, w.size(), bits, x.data(), 1, &out);
    EXPECT_EQ(out, -128 * ((1 << bits) - 1) * static_cast<std::int32_t>(kMostIntegerColumns));
  }
}

// To the last bit: indexes keep what comes of it. With and without a rest, however it is stored.
TEST_P(DotKernelsOf, EqualRowsGiveEqualResultsWhereverTheyStand) {
  Random random(2);
  constexpr std::size_t kSame = 7, kTimes = 6;
  for (const std::size_t columns : {7UL, 19UL, 31UL, 512UL, 515UL, 523UL, 527UL}) {
    std::vector<float> row(columns), vector(columns), w, x, out(kSame * kTimes);
    for (float& number : row) number = bfloat16_to_float(float_to_bfloat16(normal(random)));
    for (float& number : vector) number = normal(random);
    for (std::size_t i = 0; i < kSame; ++i) w.insert(w.end(), row.begin(), row.end());
    for (std::size_t i = 0; i < kTimes; ++i) x.insert(x.end(), vector.begin(), vector.end());
    float alone = 0;
    kernels_.f32(w.data(), 1, columns, x.data(), 1, &alone);
    kernels_.f32(w.data(), kSame, columns, x.data(), kTimes, out.data());
    for (const float score : out) ASSERT_EQ(score, alone) << columns;
    kernels_.bf16(bfloat16(w).data(), kSame, columns, x.data(), kTimes, out.data());
    for (const float score : out) ASSERT_EQ(score, alone) << columns;
  }
}

TEST_P(DotKernelsOf, AgreesWithThePortableOnes) {
  Random random(3);
  constexpr std::size_t kRows = 7, kColumns = 1029;
  std::vector<float> w(kRows * kColumns), x(kColumns);
  for (float& number : w) number = static_cast<float>(random.normal());
  for (float& number : x) number = static_cast<float>(random.normal());
  const DotKernels& portable = dot_kernels(Processor::portable);
  std::vector<float> out(kRows), wanted(kRows);
  const auto near = [&] {
    for (std::size_t r = 0; r < kRows; ++r) {
      EXPECT_NEAR(out[r], wanted[r], 1e-6 * static_cast<double>(kColumns));
    }
  };
  kernels_.f32(w.data(), kRows, kColumns, x.data(), 1, out.data());
  portable.f32(w.data(), kRows, kColumns, x.data(), 1, wanted.data());
  near();
  const auto halves = bfloat16(w);
  kernels_.bf16(halves.data(), kRows, kColumns, x.data(), 1, out.data());
  portable.bf16(halves.data(), kRows, kColumns, x.data(), 1, wanted.data());
  near();
}

std::string kind_name(const testing::TestParamInfo<Processor>& info) {
  return std::string(name_of(info.param));
}

INSTANTIATE_TEST_SUITE_P(EachProcessor, DotKernelsOf, testing::ValuesIn(processors()), kind_name);

}  // namespace
}  // namespace hinny
