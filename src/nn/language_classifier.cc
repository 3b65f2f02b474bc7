#include "nn/language_classifier.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full.h>

#include <cmath>

namespace hinny {

LanguageClassifier::LanguageClassifier(std::int64_t input, std::int64_t languages) {
  fc_ = register_module("fc", std::make_shared<Linear>(input, languages));
}

torch::Tensor LanguageClassifier::forward(const std::vector<torch::Tensor>& captions,
                                          const std::vector<int>& languages, double strength) {
  std::vector<torch::Tensor> labels;
  for (std::size_t i = 0; i < captions.size(); ++i) {
    labels.push_back(
        at::full({captions[i].size(0)}, languages[i], captions[i].options().dtype(at::kLong)));
  }
  const torch::Tensor all = at::cat(captions);
  const torch::Tensor fixed = all.detach();
  // The value is `all`, the gradient -strength times what comes back.
  const torch::Tensor reversed = fixed + strength * (fixed - all);
  return at::cross_entropy_loss(fc_->forward(reversed), at::cat(labels));
}

double reversal_strength(double done) { return 2.0 / (1.0 + std::exp(-10.0 * done)) - 1.0; }

}  // namespace hinny
