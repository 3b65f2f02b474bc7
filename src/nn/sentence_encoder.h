// Word vectors of a caption -> one vector.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>

#include "model/model_config.h"
#include "nn/caption_batch.h"
#include "recipe/choices.h"

namespace hinny {

struct EncoderOptions {
  EncoderKind kind = EncoderKind::mean;
  std::int64_t input = 300;  // size of a word vector
  std::int64_t hidden = 1024;
  bool bidirectional = false;
  ResetGate reset = ResetGate::after;     // of a GRU
  Precision precision = Precision::fp32;  // of recurrent products and of the layers beside them
  double gate_bias = 0;  // added to where the biases of a GRU's gates, an LSTM's forget gate start
};

class SentenceEncoder : public torch::nn::Module {
 public:
  // `table`: [vocabulary, input] word vectors. The encoder looks the words up itself, so that it
  // may do so in the cheapest way (mean: without forming [tokens, input]). -> [captions, size()]
  virtual torch::Tensor forward(const torch::Tensor& table, const CaptionBatch& captions) = 0;
  // The state at each word, in its sentence: [tokens, size()]. InputError for an encoder without.
  virtual torch::Tensor states(const torch::Tensor& table, const CaptionBatch& captions);
  virtual std::int64_t size() const = 0;
  // `prefix` is this module's name in the model.
  virtual EncoderSpec describe(const std::string& prefix) const = 0;
};

// To add an encoder: its file, its test, an EncoderKind, and one line in sentence_encoder.cc.
std::shared_ptr<SentenceEncoder> make_sentence_encoder(const EncoderOptions& options);

}  // namespace hinny
