// Words of every language as a few shared tokens (SMALR: Burns et al. 2020, Sec. 3.1).
#pragma once

#include <map>
#include <string>

#include "nn/module_with_roles.h"

namespace hinny {

struct LatentOptions {
  std::int64_t tokens = 40000;
  std::int64_t features = 300;  // numbers a word that tokens are chosen by
  std::int64_t size = 512;      // of a token's vector
  double explore = 0.2;         // how often another of the best `among` is taken in pretraining
  std::int64_t among = 20;
};

// Each word is one token, the one whose row of the scorer has the highest cosine with the word's
// features: by plain products the token with the longest row would win for every word. In
// pretraining both the choice and the tokens' vectors learn; then the choice is settled (settle)
// and the layer and the tokens that no word chose are gone, while the vectors go on learning.
class LatentVocabulary : public ModuleWithRoles {
 public:
  explicit LatentVocabulary(const LatentOptions& options);

  // Pretraining. features [words, features] of unit length, without a mean that all words of their
  // language share (it would decide for them) -> [words, size], the vector of each word's best
  // token or, with probability `explore`, of one of its `among` best. The choice gets its gradient
  // straight through: as if the vectors of the `among` best were mixed by the softmax of ten times
  // their scores.
  torch::Tensor explored(const torch::Tensor& features);
  // The best token of each word: [words] int64, ties to the lower. No gradient.
  torch::Tensor best(const torch::Tensor& features) const;

  // tokens [words] int64 -> [words, size]
  torch::Tensor vectors(const torch::Tensor& tokens) const;

  // Keeps the tokens of `used` [kept] int64, rising, alone, renumbered in this order.
  void settle(const torch::Tensor& used);
  bool settled() const { return scorer_.size(0) == 0; }
  // Room for what settle left elsewhere, in the tensors that are about to be loaded; `prefix`
  // precedes their names. False for tensors that are not settled, or not there.
  bool fit_sizes(const std::map<std::string, torch::Tensor>& tensors, const std::string& prefix);

  // The name of the tokens' vectors; `prefix` is this module's in the model.
  static std::string describe(const std::string& prefix) { return prefix + ".vectors"; }

 private:
  torch::Tensor candidates(const torch::Tensor& features, const torch::Tensor& scorer) const;
  void resize(std::int64_t tokens);  // settled, with other numbers
  LatentOptions options_;
  torch::Tensor vectors_;  // [tokens, size]
  torch::Tensor scorer_;   // [tokens, features]; none once settled
};

}  // namespace hinny
