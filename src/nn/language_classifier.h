// An adversary that tells languages apart, behind a gradient reversal (Ganin and Lempitsky 2014).
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <vector>

#include "nn/product.h"

namespace hinny {

// One linear layer on the captions' mean words (MULE: Kim et al. 2020, Eq. 2). It learns to name
// the language; what it is given learns, through the reversed gradient, not to let it.
class LanguageClassifier : public torch::nn::Module {
 public:
  LanguageClassifier(std::int64_t input, std::int64_t languages);

  // captions[i] [captions, input] are of language languages[i]; -> mean cross-entropy over all of
  // them. Their gradient is multiplied by -strength.
  torch::Tensor forward(const std::vector<torch::Tensor>& captions,
                        const std::vector<int>& languages, double strength);

 private:
  std::shared_ptr<Linear> fc_;
};

// Ganin and Lempitsky's schedule: 2 / (1 + e^(-10 done)) - 1 for the share `done` of the training.
double reversal_strength(double done);

}  // namespace hinny
