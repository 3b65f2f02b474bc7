#include "encoder/gates.h"

#include <cmath>

#include "base/every_processor.h"
#include "base/vector_math.h"

namespace hinny {

HINNY_EVERY_PROCESSOR
float split(const float* x, std::size_t count, std::int8_t* high, std::int8_t* low) {
  constexpr float kMost = 127 * kSplit;
  float largest = 0;
  float sum = 0;  // x - x is NaN for what is not finite
  for (std::size_t i = 0; i < count; ++i) {
    const float size = std::fabs(x[i]);
    largest = size > largest ? size : largest;
    sum += x[i] - x[i];
  }
  const float inverse = largest > 0 ? kMost / largest : 0.0F;
  for (std::size_t i = 0; i < count; ++i) {
    float part = x[i] * inverse;
    part = part > -kMost ? part : -kMost;  // NaN too
    const auto whole = static_cast<std::int32_t>(std::rint(part));
    const std::int32_t upper = (whole + 64) >> 7;
    high[i] = static_cast<std::int8_t>(upper);
    low[i] = static_cast<std::int8_t>(whole - upper * 128);
  }
  return sum == 0 ? largest / kMost : sum;
}

// __restrict: there are too many arrays to check that none overlap.
HINNY_EVERY_PROCESSOR
void lstm_step(const float* from_word, const float* from_state, std::size_t hidden,
               float* __restrict state, float* __restrict cell) {
  for (std::size_t i = 0; i < hidden; ++i) {
    const auto sum = [&](std::size_t kind) {
      return from_word[kind * hidden + i] + from_state[kind * hidden + i];
    };
    cell[i] = sigmoid(sum(1)) * cell[i] + sigmoid(sum(0)) * quick_tanh(sum(2));
    state[i] = sigmoid(sum(3)) * quick_tanh(cell[i]);
  }
}

HINNY_EVERY_PROCESSOR
void gru_reset(const float* from_word, const float* from_state, std::size_t hidden, float* reset) {
  for (std::size_t i = 0; i < hidden; ++i) reset[i] = sigmoid(from_word[i] + from_state[i]);
}

HINNY_EVERY_PROCESSOR
void gru_step(const float* from_word, const float* from_state, const float* reset,
              std::size_t hidden, float* state) {
  for (std::size_t i = 0; i < hidden; ++i) {
    const float update = sigmoid(from_word[hidden + i] + from_state[hidden + i]);
    const float kept = reset == nullptr ? 1.0F : reset[i];
    const float fresh = quick_tanh(from_word[2 * hidden + i] + kept * from_state[2 * hidden + i]);
    state[i] = (1.0F - update) * fresh + update * state[i];
  }
}

}  // namespace hinny
