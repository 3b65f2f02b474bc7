// A text tower that knows words by their spelling (LIWE: Wehrmann et al. 2019, as in Burns et al.
// 2020, Sec. 2).
#pragma once

#include <torch/nn/modules/batchnorm.h>

#include "nn/text_tower.h"

namespace hinny {

struct CharacterOptions {
  std::int64_t characters = 0;  // ids, the reserved ones included
  std::int64_t size = 24;       // of a character's vector
  std::int64_t most = 26;       // characters of a word that count
};

// A word's vector: the vectors of its characters side by side, [most * size], through three layers
// (linear, batch normalisation, ReLU: 128, 256, word_dim). Words have no parameters of their own,
// so any word has a vector.
class CharacterTower : public TextTower {
 public:
  // `spelling` [words, most] int64, the characters of each word id (text/spelling.h); no parameter.
  CharacterTower(const TextTowerOptions& options, const CharacterOptions& characters,
                 torch::Tensor spelling);

  CaptionWords words(const CaptionBatch& captions) override;
  void set_words(const torch::Tensor& vectors) override;  // Failure: there are none
  TextSpec describe(const std::string& prefix, const std::string& head_prefix) const override;

 private:
  std::int64_t most_;
  torch::Tensor spelling_;    // [words, most], on the CPU
  torch::Tensor characters_;  // [characters, size]
  std::vector<std::shared_ptr<Linear>> linear_;
  std::vector<torch::nn::BatchNorm1d> norm_;
};

}  // namespace hinny
