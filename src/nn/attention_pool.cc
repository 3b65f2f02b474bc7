#include "nn/attention_pool.h"

#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "nn/ragged.h"

namespace hinny {
namespace {

// [groups, most, dim] through a layer of rows, and tanh.
torch::Tensor squashed(Linear& layer, const torch::Tensor& items) {
  return layer.forward(items.flatten(0, 1)).tanh().view({items.size(0), items.size(1), -1});
}

// scores [groups, most] -> the weighted sum of the items.
torch::Tensor attend(const torch::Tensor& scores, const ItemGroups& groups) {
  const torch::Tensor weights =
      at::softmax(scores.masked_fill(groups.there.logical_not(), -1e9), 1);
  return weights.unsqueeze(1).bmm(groups.items).squeeze(1);
}

}  // namespace

ItemGroups grouped(const torch::Tensor& items, const torch::Tensor& lengths) {
  const Ragged shape(lengths);
  return {shape.pad(items), shape.there().to(items.device())};
}

ItemGroups grouped(const torch::Tensor& items) {
  return {items, at::ones({items.size(0), items.size(1)}, items.options().dtype(at::kBool))};
}

torch::Tensor mean_items(const ItemGroups& groups) {
  return groups.items.sum(1) / groups.there.sum(1, /*keepdim=*/true);
}

ContextAttention::ContextAttention(std::int64_t dim) {
  context_ = register_parameter("context", at::zeros({1, dim}).uniform_(-1, 1));
  scale_ = register_buffer("scale", at::full({1}, 1 / std::sqrt(static_cast<double>(dim))));
  of_context_ = register_module("of_context", std::make_shared<Linear>(dim, dim));
  of_items_ = register_module("of_items", std::make_shared<Linear>(dim, dim));
}

torch::Tensor ContextAttention::forward(const ItemGroups& groups) {
  const torch::Tensor context = of_context_->forward(context_).tanh() * scale_;  // [1, dim]
  return attend(squashed(*of_items_, groups.items).matmul(context.squeeze(0)), groups);
}

MemoryAttention::MemoryAttention(std::int64_t dim, bool layer) {
  of_items_ = register_module("of_items", std::make_shared<Linear>(dim, dim));
  of_memory_ = register_module("of_memory", std::make_shared<Linear>(dim, dim));
  score_ = register_module("score", std::make_shared<Linear>(dim, 1));
  if (layer) seen_ = register_module("seen", std::make_shared<Linear>(dim, dim));
}

torch::Tensor MemoryAttention::forward(const ItemGroups& groups, const torch::Tensor& memory) {
  const torch::Tensor hidden =
      squashed(*of_items_, groups.items) * of_memory_->forward(memory).tanh().unsqueeze(1);
  const torch::Tensor seen =
      attend(score_->forward(hidden.flatten(0, 1)).view(groups.there.sizes()), groups);
  return seen_ ? seen_->forward(seen).tanh() : seen;
}

}  // namespace hinny
