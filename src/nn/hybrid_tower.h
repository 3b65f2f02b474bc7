// A text tower whose frequent words are its language's own and whose others are shared tokens:
// SMALR's hybrid embedding (Burns et al. 2020, Sec. 3.1).
#pragma once

#include "nn/latent_vocabulary.h"
#include "nn/text_tower.h"

namespace hinny {

// Ids below TextTowerOptions::vocabulary are own words: [own, word_dim] -> the space. The others
// up to `words` are tokens of `latent`, whose vectors lie in the space already. For as long as the
// words are frozen (pretraining), every word is a token, chosen anew each time.
class HybridTower : public TextTower {
 public:
  // `features`: size of the vectors that set_words is given, which choose the tokens.
  HybridTower(const TextTowerOptions& own, std::int64_t words, std::int64_t features,
              std::shared_ptr<LatentVocabulary> latent, std::shared_ptr<SentenceHead> head);

  CaptionWords words(const CaptionBatch& captions) override;
  // [words, features]. Own words start from the first principal components of all rows but those
  // of the reserved ids; with TextTowerOptions::whiten of rows at unit length, and whitened.
  void set_words(const torch::Tensor& vectors) override;
  // Without the name of the tokens' vectors, which are the system's (LatentVocabulary::describe).
  TextSpec describe(const std::string& prefix, const std::string& head_prefix) const override;

  // The tokens that the words choose now: [words - own] int64.
  torch::Tensor choose();
  // The own words' layer takes them as near as it can to the vectors of the tokens that they
  // choose, so that what pretraining learnt is not lost to them.
  void start_own_words();
  // The tokens from here on, [words - own] int64; forgets the features.
  void settle(const torch::Tensor& tokens);
  // Forgets the features of a system that is settled elsewhere.
  void forget_features();

 private:
  std::int64_t own_;
  bool whiten_;
  std::shared_ptr<LatentVocabulary> latent_;  // the system's
  torch::Tensor latent_of_;  // [words - own] float32, whole numbers: files keep no others
  torch::Tensor features_;   // [words, features]; none once settled
};

}  // namespace hinny
