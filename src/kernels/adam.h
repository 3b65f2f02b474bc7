// One step of Adam over numbers in memory: what it costs is reading and writing them once.
#pragma once

#include <cstddef>
#include <span>

namespace hinny {

struct AdamStep {
  float rate = 0;
  float decay = 0;  // of the weights (AdamW) when `decoupled`, else of the gradient
  bool decoupled = true;
  float beta1 = 0, beta2 = 0, epsilon = 0;
  float size1 = 1, size2 = 1;  // 1 / (1 - beta^steps): what makes up for moments that began at 0
  float factor = 1;            // of the gradient
};

// Four arrays of `count` numbers. All threads work on them; the result does not depend on how many.
void adam_step(const AdamStep& step, std::size_t count, const float* gradient, float* parameter,
               float* mean, float* variance);

// All threads work on it; the result does not depend on how many.
double sum_of_squares(std::span<const float> numbers);

}  // namespace hinny
