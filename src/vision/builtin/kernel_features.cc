#include "vision/builtin/kernel_features.h"

#include <cmath>
#include <numbers>

#include "base/random.h"

namespace hinny {

KernelFeatures::KernelFeatures(int inputs, int outputs, float width, std::uint64_t seed)
    : matrix_(static_cast<std::size_t>(inputs) * static_cast<std::size_t>(outputs)),
      phase_(static_cast<std::size_t>(outputs)) {
  Random random(seed);
  for (float& weight : matrix_) weight = static_cast<float>(random.normal()) / width;
  for (float& phase : phase_) {
    phase = static_cast<float>(random.uniform(0, 2 * std::numbers::pi));
  }
}

void KernelFeatures::add(std::span<const float> x, float weight, std::span<float> out) const {
  const float* row = matrix_.data();
  for (std::size_t i = 0; i < phase_.size(); ++i, row += x.size()) {
    float angle = phase_[i];
    for (std::size_t j = 0; j < x.size(); ++j) angle += row[j] * x[j];
    out[i] += weight * std::cos(angle);
  }
}

}  // namespace hinny
