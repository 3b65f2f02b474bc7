// Word vectors of captions -> the joint space: sentence encoder, dropout, projection, L2.
#pragma once

#include <memory>
#include <string>

#include "nn/caption_batch.h"
#include "nn/module_with_roles.h"
#include "nn/product.h"
#include "nn/sentence_encoder.h"

namespace hinny {

struct SentenceHeadOptions {
  EncoderOptions encoder;
  double dropout = 0.0;  // on the sentence vector before the projection
  std::int64_t output = 512;
  bool project = true;    // FC to `output`; without it the encoder's size is the output
  bool positive = false;  // absolute values, for order embeddings
};

// One language's own, or shared by several (MULE).
class SentenceHead {
 public:
  // Its modules are registered in `owner`: encoder, fc.
  SentenceHead(ModuleWithRoles& owner, const SentenceHeadOptions& options);

  // The encoder's state at each word: [tokens, encoder's size].
  torch::Tensor states(const CaptionWords& words) {
    return encoder_->states(words.table, words.captions);
  }
  // -> [captions, size()], rows of unit length; in shards (nn/shards.h).
  torch::Tensor forward(const CaptionWords& words);
  std::int64_t size() const;
  // Before training: makes the vector of a sentence nearly its encoder's output, with zeros behind
  // it. InputError without a projection that is as large.
  void start_as_identity();

  // Before training: makes the encoder's output, but for a little noise, coordinates along
  // `directions` [size(), n] of the joint space. InputError without a projection that allows it.
  void start_along(const torch::Tensor& directions);

  // `encoder` and `layers` of a language; `prefix` is the owner's name in the model.
  TextSpec describe(const std::string& prefix) const;

 private:
  SentenceHeadOptions options_;
  std::shared_ptr<SentenceEncoder> encoder_;
  std::shared_ptr<Linear> fc_;
};

}  // namespace hinny
