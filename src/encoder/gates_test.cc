#include "encoder/gates.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"

namespace hinny {
namespace {

std::vector<float> numbers(std::size_t count, float most) {
  Random random(count);
  std::vector<float> result(count);
  for (float& number : result) {
    number = most * (static_cast<float>(random.below(2001)) / 1000.0F - 1.0F);
  }
  return result;
}

TEST(Gates, LogSumExpOfEveryLength) {
  for (const std::size_t count : {1UL, 2UL, 15UL, 16UL, 17UL, 33UL, 1000UL}) {
    for (const float most : {0.0F, 3.0F, 500.0F}) {
      const auto x = numbers(count, most);
      double sum = 0;
      for (const float number : x) sum += std::exp(static_cast<double>(number) - most);
      const double expected = std::log(sum) + most;
      EXPECT_NEAR(log_sum_exp(x.data(), count), expected, 1e-6 * (1 + std::fabs(expected)))
          << count << " numbers up to " << most;
    }
  }
}

TEST(Gates, WeightedSumOfRows) {
  for (const std::size_t size : {1UL, 16UL, 37UL}) {
    const auto weights = numbers(5, 1), x = numbers(5 * size, 2);
    std::vector<float> out(size, 7.0F);
    weighted_sum(weights.data(), 5, x.data(), size, out.data());
    for (std::size_t i = 0; i < size; ++i) {
      double expected = 0;
      for (std::size_t row = 0; row < 5; ++row) {
        expected += static_cast<double>(weights[row]) * static_cast<double>(x[row * size + i]);
      }
      EXPECT_NEAR(out[i], expected, 1e-5);
    }
  }
}

// split and join: what comes back of a vector is right to 15 bits of its largest number.

}  // namespace
}  // namespace hinny
