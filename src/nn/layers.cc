#include "nn/layers.h"

#include <ATen/ops/norm.h>

namespace hinny {

std::span<float> numbers_of(const torch::Tensor& tensor) {
  return {tensor.data_ptr<float>(), static_cast<std::size_t>(tensor.numel())};
}

torch::Tensor unit_rows(const torch::Tensor& rows) {
  return rows / rows.norm(2, {1}, /*keepdim=*/true).clamp_min(1e-12);
}

}  // namespace hinny
