#include "nn/image_branch.h"

#include <ATen/ops/relu.h>

#include "nn/layers.h"

namespace hinny {

ImageBranch::ImageBranch(const ImageBranchOptions& options) : options_(options) {
  input_dropout_ = register_module("input_dropout", torch::nn::Dropout(options.input_dropout));
  if (options.hidden > 0) {
    fc1_ = register_module("fc1", std::make_shared<Linear>(options.input, options.hidden));
    if (options.batch_norm) {
      norm_ = register_module("norm", torch::nn::BatchNorm1d(options.hidden));
    }
    dropout_ = register_module("dropout", torch::nn::Dropout(options.dropout));
  }
  const std::int64_t last = options.hidden > 0 ? options.hidden : options.input;
  fc2_ = register_module("fc2", std::make_shared<Linear>(last, options.output));
}

torch::Tensor ImageBranch::forward(const torch::Tensor& features) {
  torch::Tensor x = input_dropout_(features);
  if (fc1_) {
    x = fc1_->forward(x);
    if (norm_) x = norm_(x);
    x = dropout_(at::relu(x));
  }
  x = unit_rows(fc2_->forward(x));
  return options_.positive ? x.abs() : x;
}

nlohmann::json ImageBranch::describe(const std::string& prefix) const {
  nlohmann::json layers = nlohmann::json::array();
  if (fc1_) {
    layers.push_back(describe_layer("linear", prefix + ".fc1"));
    if (norm_) layers.push_back(describe_layer("batch_norm", prefix + ".norm"));
    layers.push_back(describe_layer("relu"));
  }
  layers.push_back(describe_layer("linear", prefix + ".fc2"));
  layers.push_back(describe_layer("l2"));
  if (options_.positive) layers.push_back(describe_layer("abs"));
  return {{"layers", layers}};
}

}  // namespace hinny
