#include "training/loop/weight_average.h"

#include <torch/nn/module.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>

namespace hinny {
namespace {

constexpr std::int64_t kBatchesApart =
    10;  // batches; more often costs memory traffic and gains nothing
constexpr const char* kPrefix = "average.";

}  // namespace

WeightAverage::WeightAverage(const torch::nn::Module& model, double decay) : decay_(decay) {
  if (decay <= 0) return;
  for (const auto& named : model.named_parameters()) {
    if (!named.value().requires_grad()) continue;
    items_.push_back({named.key(), named.value(), named.value().detach().clone()});
  }
}

void WeightAverage::update(std::int64_t batches) {
  if (items_.empty() || batches % kBatchesApart != 0) return;
  const torch::NoGradGuard no_gradient;
  const std::int64_t updates = batches / kBatchesApart;
  const double kept = std::min(std::pow(decay_, static_cast<double>(kBatchesApart)),
                               static_cast<double>(updates) / static_cast<double>(updates + 9));
  for (Item& item : items_) item.average.lerp_(item.parameter, 1.0 - kept);
}

void WeightAverage::reset() {
  for (Item& item : items_) item.average = item.parameter.detach().clone();
}

void WeightAverage::exchange() {
  const torch::NoGradGuard no_gradient;
  for (Item& item : items_) {
    const torch::Tensor weights = item.parameter.detach().clone();
    item.parameter.copy_(item.average);
    item.average.copy_(weights);
  }
}

NamedTensors WeightAverage::state() const {
  NamedTensors state;
  for (const Item& item : items_) state[kPrefix + item.name] = item.average;
  return state;
}

void WeightAverage::load(const NamedTensors& state) {
  reset();  // a parameter may have another size now
  for (const Item& item : items_) restore_tensor(state, kPrefix + item.name, item.average);
}

}  // namespace hinny
