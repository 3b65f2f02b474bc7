#include "nn/score_mixer.h"

#include <ATen/ops/full.h>
#include <ATen/ops/relu.h>

namespace hinny {

ScoreMixer::ScoreMixer(std::int64_t languages) {
  first_ = register_parameter("first",
                              at::full({kHidden, languages}, 1.0 / static_cast<double>(languages)));
  second_ = register_parameter("second", at::full({kHidden}, 1.0 / static_cast<double>(kHidden)));
}

torch::Tensor ScoreMixer::forward(const torch::Tensor& scores) {
  return at::relu(scores.matmul(first_.t())).matmul(second_);
}

torch::Tensor ScoreMixer::weights() const { return second_.detach().matmul(first_.detach()); }

}  // namespace hinny
