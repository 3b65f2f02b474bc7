// Captions -> the joint space: word vectors, sentence encoder, projection, L2.
#pragma once

#include <torch/nn/modules/dropout.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "nn/caption_batch.h"
#include "nn/product.h"
#include "nn/sentence_encoder.h"

namespace hinny {

struct TextTowerOptions {
  std::int64_t vocabulary = 0;  // ids, the reserved ones included
  EncoderOptions encoder;
  double dropout = 0.0;  // on the sentence vector before the projection
  std::int64_t output = 512;
  bool project = true;      // FC to `output`; without it the encoder's size is the output
  bool finetune = true;     // false: word vectors stay as given
  double word_range = 0.1;  // word vectors start from U(-word_range, word_range)
};

class TextTower : public torch::nn::Module {
 public:
  explicit TextTower(const TextTowerOptions& options);

  // -> [captions, output], rows of unit length.
  torch::Tensor forward(const CaptionBatch& captions);
  // Replaces the word vectors before training: [vocabulary, input].
  void set_words(const torch::Tensor& vectors);
  std::int64_t size() const;

  // Keys "words", "encoder" and "layers" of a language in config.json.
  nlohmann::json describe(const std::string& prefix) const;

 private:
  TextTowerOptions options_;
  torch::Tensor words_;  // [vocabulary, input]
  std::shared_ptr<SentenceEncoder> encoder_;
  torch::nn::Dropout dropout_{nullptr};
  std::shared_ptr<Linear> fc_;
};

}  // namespace hinny
