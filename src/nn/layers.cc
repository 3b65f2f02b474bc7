#include "nn/layers.h"

#include <ATen/ops/norm.h>
#include <torch/nn/init.h>

namespace hinny {

torch::nn::Linear glorot_linear(std::int64_t input, std::int64_t output) {
  torch::nn::Linear linear(input, output);
  torch::nn::init::xavier_uniform_(linear->weight);
  torch::nn::init::zeros_(linear->bias);
  return linear;
}

torch::Tensor unit_rows(const torch::Tensor& rows) {
  return rows / rows.norm(2, {1}, /*keepdim=*/true).clamp_min(1e-12);
}

nlohmann::json describe_layer(const std::string& kind, const std::string& prefix) {
  nlohmann::json layer = {{"kind", kind}};
  if (!prefix.empty()) layer["prefix"] = prefix;
  return layer;
}

}  // namespace hinny
