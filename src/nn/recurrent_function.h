// The recurrent kernels (kernels/recurrent.h) as a differentiable function on CPU tensors.
#pragma once

#include <torch/types.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/packing.h"
#include "kernels/recurrent.h"
#include "recipe/choices.h"

namespace hinny {

struct RecurrentWeights {
  torch::Tensor input;           // [gates, input]
  torch::Tensor recurrent;       // [gates, hidden]
  torch::Tensor input_bias;      // [gates]
  torch::Tensor recurrent_bias;  // [gates]
};

struct RecurrentRun {
  CellKind kind = CellKind::lstm;
  Precision precision = Precision::fp32;  // double tensors are computed in double whatever it says
  Packing packing;
  std::vector<std::int32_t> word_of;  // [tokens] row of `words` of each packed row
};

// The state after each caption's last word (of a caption without words: 0). The inputs' part of
// the gates is formed once for each row of `words` [distinct, input], which have to be contiguous
// as the weights have. -> [captions, hidden], differentiable in words and weights.
torch::Tensor last_states(const torch::Tensor& words, const RecurrentWeights& weights,
                          std::shared_ptr<const RecurrentRun> run);
// The state after each word: [tokens, hidden], captions end to end, each in its own order.
torch::Tensor all_states(const torch::Tensor& words, const RecurrentWeights& weights,
                         std::shared_ptr<const RecurrentRun> run);

}  // namespace hinny
