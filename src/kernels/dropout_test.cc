#include "kernels/dropout.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/threads.h"

namespace hinny {
namespace {

std::vector<float> dropped(const Dropout& dropout, std::uint64_t first, std::size_t count) {
  const std::vector<float> ones(count, 1);
  std::vector<float> out(count);
  drop<float>(dropout, first, ones, out.data());
  return out;
}

double share_of_zeros(const std::vector<float>& x) {
  return static_cast<double>(std::count(x.begin(), x.end(), 0.0F)) / static_cast<double>(x.size());
}

TEST(Dropout, DropsItsShareAndScalesTheRest) {
  for (const double share : {0.1, 0.5, 0.9}) {
    const auto x = dropped({share, 7}, 0, 1000000);
    EXPECT_NEAR(share_of_zeros(x), share, 5 * std::sqrt(share * (1 - share) / 1e6));
    const float kept = *std::max_element(x.begin(), x.end());
    EXPECT_FLOAT_EQ(kept, static_cast<float>(1 / (1 - share)));
    EXPECT_TRUE(std::all_of(x.begin(), x.end(), [&](float v) { return v == 0 || v == kept; }));
  }
}

TEST(Dropout, NeighboursRowsAndSeedsAreIndependent) {
  constexpr std::size_t kCount = 1000000;
  const auto x = dropped({0.5, 1}, 0, kCount), other = dropped({0.5, 2}, 0, kCount);
  const auto together = [&](const std::vector<float>& a, const std::vector<float>& b,
                            std::size_t distance) {
    std::size_t both = 0;
    for (std::size_t i = distance; i < kCount; ++i) both += a[i] == 0 && b[i - distance] == 0;
    return static_cast<double>(both) / static_cast<double>(kCount - distance);
  };
  for (const std::size_t distance : {1U, 2U, 3U, 16U, 512U, 1U << 14U, 1U << 15U}) {
    EXPECT_NEAR(together(x, x, distance), 0.25, 0.0025) << distance;
  }
  EXPECT_NEAR(together(x, other, 0), 0.25, 0.0025);
}

TEST(Dropout, APartHasThePlacesOfTheWhole) {
  const Dropout dropout{0.3, 5};
  const auto all = dropped(dropout, 0, 100000), part = dropped(dropout, 30001, 50000);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + 30001));
}

TEST(Dropout, DoesNotDependOnThreads) {
  const int before = thread_count();
  set_thread_count(1);
  const auto one = dropped({0.3, 5}, 3, 100000);
  set_thread_count(3);
  EXPECT_EQ(dropped({0.3, 5}, 3, 100000), one);
  set_thread_count(before);
}

TEST(Dropout, NothingToDropIsNothingToDo) {
  double behind = 7;
  drop<double>({0.3, 5}, 0, {}, &behind);
  EXPECT_EQ(behind, 7);
  drop<double>({0.3, 5}, 0, {}, nullptr);
}

}  // namespace
}  // namespace hinny
