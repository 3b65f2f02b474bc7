// Word vectors of a caption -> one vector.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "nn/caption_batch.h"

namespace hinny {

struct EncoderOptions {
  std::string kind = "mean";  // one of sentence_encoder_kinds()
  std::int64_t input = 300;   // size of a word vector
  std::int64_t hidden = 1024;
  bool bidirectional = false;
  std::string reset = "after";     // gru: the reset gate, after or before the recurrent product
  std::string precision = "fp32";  // of the recurrent products: fp32 or bf16
};

class SentenceEncoder : public torch::nn::Module {
 public:
  // `table`: [vocabulary, input] word vectors. The encoder looks the words up itself, so that it
  // may do so in the cheapest way (mean: without forming [tokens, input]). -> [captions, size()]
  virtual torch::Tensor forward(const torch::Tensor& table, const CaptionBatch& captions) = 0;
  // The state at each word, in its sentence: [tokens, size()]. InputError for an encoder without.
  virtual torch::Tensor states(const torch::Tensor& table, const CaptionBatch& captions);
  virtual std::int64_t size() const = 0;
  // The "encoder" entry of config.json (docs/formats/model.md); `prefix` is this module's name.
  virtual nlohmann::json describe(const std::string& prefix) const = 0;
};

// Throws InputError for an unknown kind. To add an encoder: its file, its test, and one line in
// the table of sentence_encoder.cc.
std::shared_ptr<SentenceEncoder> make_sentence_encoder(const EncoderOptions& options);
std::vector<std::string> sentence_encoder_kinds();

}  // namespace hinny
