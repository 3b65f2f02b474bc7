// Intra-modal attention: words of a sentence, or regions of a picture, into one vector.
#pragma once

#include <torch/nn/module.h>

#include "nn/product.h"

namespace hinny {

// Items of several groups, padded: items [groups, most, dim], there [groups, most] bool.
struct ItemGroups {
  torch::Tensor items;
  torch::Tensor there;
};
// items [tokens, dim], groups end to end; lengths [groups] int64 on the CPU, each >= 1.
ItemGroups grouped(const torch::Tensor& items, const torch::Tensor& lengths);
// items [groups, count, dim], all there.
ItemGroups grouped(const torch::Tensor& items);

// The mean of each group's items: [groups, dim].
torch::Tensor mean_items(const ItemGroups& groups);

// sum_i a_i z_i with a = softmax_i(f_c(c) . f_z(z_i) / sqrt(dim)), each f a linear layer and tanh,
// and c one learned vector (Huang et al. 2020, Eq. 7: SAN; what f is made of is ours, and so is the
// division: without it attention starts, and stays, on a single item).
class ContextAttention : public torch::nn::Module {
 public:
  explicit ContextAttention(std::int64_t dim);
  torch::Tensor forward(const ItemGroups& groups);  // -> [groups, dim]

 private:
  torch::Tensor context_;  // [1, dim]
  torch::Tensor scale_;    // [1], kept with the weights: models from before it are refused
  std::shared_ptr<Linear> of_context_, of_items_;
};

// One hop of DAN: a = softmax_i(w . (tanh(W z_i) * tanh(W_m m))) with the memory m of each group
// (Nam et al. 2017, Eq. 4 and 9). With `layer` what it sees passes a linear layer and tanh, as
// their hops over pictures do.
class MemoryAttention : public torch::nn::Module {
 public:
  explicit MemoryAttention(std::int64_t dim, bool layer = false);
  // memory [groups, dim] -> [groups, dim]
  torch::Tensor forward(const ItemGroups& groups, const torch::Tensor& memory);

 private:
  std::shared_ptr<Linear> of_items_, of_memory_, score_, seen_;
};

}  // namespace hinny
