#include "kernels/adam.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "base/random.h"
#include "base/threads.h"

namespace hinny {
namespace {

std::vector<float> numbers(std::uint64_t seed, std::size_t count, double low) {
  Random random(seed);
  std::vector<float> result(count);
  for (float& value : result) value = static_cast<float>(random.uniform(low, 1));
  return result;
}

struct State {
  explicit State(std::size_t count)
      : gradient(numbers(1, count, -1)),
        parameter(numbers(2, count, -1)),
        mean(numbers(3, count, -1)),
        variance(numbers(4, count, 0)) {}
  void step(const AdamStep& step) {
    adam_step(step, parameter.size(), gradient.data(), parameter.data(), mean.data(),
              variance.data());
  }
  std::vector<float> gradient, parameter, mean, variance;
};

constexpr std::size_t kCount = 100003;  // several blocks and a piece

// Kingma and Ba 2015, algorithm 1, and the decay of Loshchilov and Hutter 2019.
TEST(AdamStep, IsWhatThePapersSay) {
  for (const bool decoupled : {true, false}) {
    const AdamStep step{0.01F, 0.1F, decoupled, 0.9F, 0.99F, 1e-3F, 1.25F, 1.5F, 0.5F};
    State now(kCount);
    const State before(kCount);
    now.step(step);
    for (std::size_t i = 0; i < kCount; ++i) {
      const double p = before.parameter[i];
      const double g = 0.5 * before.gradient[i] + (decoupled ? 0 : 0.1 * p);
      const double m = 0.9 * before.mean[i] + 0.1 * g;
      const double v = 0.99 * before.variance[i] + 0.01 * g * g;
      ASSERT_NEAR(now.mean[i], m, 1e-6);
      ASSERT_NEAR(now.variance[i], v, 1e-6);
      const double kept = decoupled ? p - 0.01 * 0.1 * p : p;
      ASSERT_NEAR(now.parameter[i], kept - 0.01 * 1.25 * m / (std::sqrt(1.5 * v) + 1e-3), 1e-5);
    }
  }
}

TEST(AdamStep, DoesNotDependOnThreads) {
  const AdamStep step{0.01F, 0.1F, true, 0.9F, 0.99F, 1e-3F, 1.25F, 1.5F, 0.5F};
  const int before = thread_count();
  State one(kCount), three(kCount);
  set_thread_count(1);
  one.step(step);
  const double sum = sum_of_squares(one.gradient);
  set_thread_count(3);
  three.step(step);
  EXPECT_EQ(one.parameter, three.parameter);
  EXPECT_EQ(sum_of_squares(one.gradient), sum);
  set_thread_count(before);
  double expected = 0;
  for (const float g : one.gradient) expected += static_cast<double>(g) * static_cast<double>(g);
  EXPECT_NEAR(sum, expected, 1e-9 * expected);
}

}  // namespace
}  // namespace hinny
