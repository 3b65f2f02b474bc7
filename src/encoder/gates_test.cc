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

double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }

// What stands behind a state is another's.
TEST(Gates, StepsChangeTheStateAlone) {
  constexpr float kBehind = 7;
  for (const std::size_t hidden : {1UL, 4UL, 16UL, 37UL}) {
    const auto word = numbers(4 * hidden + 1, 2), from_state = numbers(4 * hidden + 2, 2);
    const auto before = numbers(hidden + 3, 1);
    const auto sum = [&](std::size_t kind, std::size_t i) {
      return static_cast<double>(word[kind * hidden + i] + from_state[kind * hidden + i]);
    };
    std::vector<float> reset(hidden + 1, kBehind);
    gru_reset(word.data(), from_state.data(), hidden, reset.data());
    std::vector<float> gru(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(hidden));
    gru.push_back(kBehind);
    std::vector<float> bare = gru, state = gru, cell = gru;
    gru_step(word.data(), from_state.data(), reset.data(), hidden, gru.data());
    gru_step(word.data(), from_state.data(), nullptr, hidden, bare.data());
    lstm_step(word.data(), from_state.data(), hidden, state.data(), cell.data());
    for (std::size_t i = 0; i < hidden; ++i) {
      const auto old = static_cast<double>(before[i]);
      const auto of_word = static_cast<double>(word[2 * hidden + i]);
      const auto of_state = static_cast<double>(from_state[2 * hidden + i]);
      const double kept = sigmoid_of(sum(0, i)), update = sigmoid_of(sum(1, i));
      EXPECT_NEAR(reset[i], kept, 1e-5);
      EXPECT_NEAR(gru[i], (1 - update) * std::tanh(of_word + kept * of_state) + update * old, 1e-5);
      EXPECT_NEAR(bare[i], (1 - update) * std::tanh(of_word + of_state) + update * old, 1e-5);
      const double of_cell = update * old + kept * std::tanh(sum(2, i));
      EXPECT_NEAR(cell[i], of_cell, 1e-5);
      EXPECT_NEAR(state[i], sigmoid_of(sum(3, i)) * std::tanh(of_cell), 1e-5);
    }
    for (const auto* of : {&reset, &gru, &bare, &state, &cell}) EXPECT_EQ(of->back(), kBehind);
  }
}

}  // namespace
}  // namespace hinny
