// CLC-C: one score from the scores of a query in several languages (Burns et al. 2020, Sec. 3.4).
#pragma once

#include <torch/nn/module.h>

namespace hinny {

// [..., languages] -> [...]: two layers without biases, ReLU between them, 32 hidden units; with
// ten languages 352 parameters. Every weight of a layer starts the same, so at first the mixer is
// the mean of the scores (where that is not negative).
class ScoreMixer : public torch::nn::Module {
 public:
  static constexpr std::int64_t kHidden = 32;
  explicit ScoreMixer(std::int64_t languages);
  torch::Tensor forward(const torch::Tensor& scores);
  // [languages]: what a score in each counts for, relative to the others. Hidden units start alike,
  // get the same gradients and stay alike, so where their one sum is positive the mixer is linear
  // and orders images as the scores' mean by these weights does.
  torch::Tensor weights() const;

 private:
  torch::Tensor first_;   // [32, languages]
  torch::Tensor second_;  // [32]
};

}  // namespace hinny
