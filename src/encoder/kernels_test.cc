#include "encoder/kernels.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace hinny {
namespace {

// Whole numbers, so sums are exact in any order; sizes around the kernels' blocks.
TEST(Kernels, ProductsAreRightForEverySize) {
  Random random(1);
  for (const std::size_t columns : {0UL, 1UL, 15UL, 16UL, 17UL, 48UL, 300UL}) {
    for (const std::size_t rows : {1UL, 3UL, 4UL, 5UL, 9UL}) {
      constexpr std::size_t kTimes = 3;
      std::vector<float> w(rows * columns), x(kTimes * columns), out(kTimes * rows, -1.0F);
      for (float& number : w) number = static_cast<float>(random.below(9)) - 4.0F;
      for (float& number : x) number = static_cast<float>(random.below(9)) - 4.0F;
      multiply_each(w.data(), rows, columns, x.data(), kTimes, out.data());
      for (std::size_t t = 0; t < kTimes; ++t) {
        for (std::size_t r = 0; r < rows; ++r) {
          float sum = 0;
          for (std::size_t i = 0; i < columns; ++i) sum += w[r * columns + i] * x[t * columns + i];
          EXPECT_EQ(out[t * rows + r], sum) << columns << " " << rows;
        }
      }
    }
  }
}

TEST(Kernels, EqualRowsGiveEqualResultsWhereverTheyStand) {
  Random random(2);
  constexpr std::size_t kColumns = 515;
  std::vector<float> row(kColumns), x(kColumns), w;
  for (float& number : row) number = static_cast<float>(random.normal());
  for (float& number : x) number = static_cast<float>(random.normal());
  for (int i = 0; i < 7; ++i) w.insert(w.end(), row.begin(), row.end());
  std::vector<float> out(7);
  multiply(w.data(), 7, kColumns, x.data(), out.data());
  for (const float score : out) EXPECT_EQ(score, out[0]);
}

}  // namespace
}  // namespace hinny
