#include "tensors/rounding.h"

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

TEST(Rounding, ASplitVectorIsJoinedAgain) {
  for (const std::size_t count : {1UL, 15UL, 16UL, 70UL}) {
    const auto x = numbers(count, 3);
    std::vector<std::int8_t> high(count), low(count);
    const float scale = split(x.data(), count, high.data(), low.data());
    const std::vector<std::int32_t> upper(high.begin(), high.end()), lower(low.begin(), low.end());
    const std::vector<float> twice(count, 2.0F);
    std::vector<float> back(count);
    join(upper.data(), lower.data(), scale, twice.data(), count, back.data());
    for (std::size_t i = 0; i < count; ++i) EXPECT_NEAR(back[i], 2 * x[i], 2 * 3.0 / 32000);
  }
}

}  // namespace
}  // namespace hinny
