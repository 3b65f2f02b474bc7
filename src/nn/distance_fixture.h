// How far one tensor is from another.
#pragma once

#include <torch/types.h>

namespace hinny {

// |a - b|, of |b|.
inline double relative_distance(const torch::Tensor& a, const torch::Tensor& b) {
  return ((a - b).norm() / b.norm().clamp_min(1e-12)).item<double>();
}

}  // namespace hinny
