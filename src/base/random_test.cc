#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace hinny {
namespace {

TEST(Random, OneSeedGivesOneSequence) {
  Random a(7), b(7), c(8);
  EXPECT_EQ(a.next(), b.next());
  EXPECT_NE(a.next(), c.next());
  EXPECT_NE(mix_seed({1, 2}), mix_seed({2, 1}));
}

TEST(Random, BelowIsEvenAndNormalHasUnitVariance) {
  Random random(1);
  std::array<int, 5> counts{};
  double square = 0;
  for (int i = 0; i < 50000; ++i) {
    ++counts[random.below(5)];
    square += std::pow(random.normal(), 2);
  }
  for (const int count : counts) EXPECT_NEAR(count, 10000, 400);
  EXPECT_NEAR(square / 50000, 1.0, 0.03);
}

TEST(Random, ShuffleIsAPermutation) {
  std::array<int, 100> items{};
  std::iota(items.begin(), items.end(), 0);
  auto shuffled = items;
  Random(3).shuffle(std::span<int>(shuffled));
  EXPECT_NE(shuffled, items);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, items);
}

}  // namespace
}  // namespace hinny
