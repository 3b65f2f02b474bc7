#include "base/vector_math.h"

#include <gtest/gtest.h>

#include <cmath>

namespace hinny {
namespace {

TEST(VectorMath, IsAsNearAsFloatsAre) {
  for (int i = -8600; i <= 8700; ++i) {
    const float x = static_cast<float>(i) / 100;
    const double wanted = std::exp(static_cast<double>(x));
    ASSERT_NEAR(quick_exp(x), wanted, 3e-7 * wanted) << x;
  }
  EXPECT_TRUE(std::isnan(quick_exp(std::nanf(""))));
  EXPECT_GT(quick_exp(-1000.0F), 0);
  EXPECT_LT(quick_exp(-1000.0F), 1e-37F);
  EXPECT_TRUE(std::isfinite(quick_exp(1000.0F)));
  for (const float x : {-100.0F, -5.0F, -0.1F, 0.0F, 0.3F, 2.0F, 40.0F}) {
    EXPECT_NEAR(sigmoid(x), 1 / (1 + std::exp(-static_cast<double>(x))), 1e-6) << x;
    EXPECT_NEAR(quick_tanh(x), std::tanh(static_cast<double>(x)), 1e-6) << x;
  }
}

}  // namespace
}  // namespace hinny
