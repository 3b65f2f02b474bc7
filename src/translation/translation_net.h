// A translation network: bidirectional LSTM, attention, LSTM (Luong et al. 2015; Huang et al. 2020,
// section 3.1). docs/systems/translation.md has the decisions that the papers leave open.
#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string>

#include "nn/product.h"
#include "nn/sentence_encoder.h"
#include "translation/thread_attention.h"

namespace hinny {

struct NetOptions {
  std::int64_t vocabulary = 0;  // of source and target words together
  std::int64_t embedding = 256;
  std::int64_t hidden = 512;     // even
  std::int64_t region_size = 0;  // numbers of an image region; 0: text alone
  double dropout = 0.0;
  double smoothing = 0.0;  // of labels
  std::string precision = "fp32";
};

// One decoder state per row.
struct DecoderState {
  torch::Tensor hidden;  // [rows, hidden]
  torch::Tensor cell;    // [rows, hidden]
  DecoderState rows(const torch::Tensor& which) const {
    return {hidden.index_select(0, which), cell.index_select(0, which)};
  }
};

struct Prediction {
  torch::Tensor log_probabilities;  // [sentences, queries, vocabulary]
  torch::Tensor weights;            // as in Attended
};

class TranslationNet : public torch::nn::Module {
 public:
  explicit TranslationNet(const NetOptions& options);

  // `regions` [sentences, regions, region_size], or undefined: text alone, whatever the net can.
  SourceStates encode(const CaptionBatch& sources, const torch::Tensor& regions);
  // Mean over target words of the smoothed cross-entropy; `targets` end with an end mark (Eq. 6).
  torch::Tensor loss(const CaptionBatch& sources, const torch::Tensor& regions,
                     const CaptionBatch& targets);

  // For search: the state before a translation's first word, what words may follow a state, and
  // the state after a word [rows].
  DecoderState start(const SourceStates& source);
  Prediction predict(const SourceStates& source, const torch::Tensor& hidden);  // [s, q, hidden]
  DecoderState advance(const DecoderState& state, const torch::Tensor& words);

  const NetOptions& options() const { return options_; }

 private:
  // What is read is as large as a state, what is compared with one is small (Vaswani et al. 2017).
  double input_scale() const;
  CaptionWords look_up(const CaptionBatch& captions);
  CaptionWords with_regions(const CaptionWords& words, const torch::Tensor& regions);
  CaptionWords with_start(const CaptionWords& words, const torch::Tensor& start);
  torch::Tensor logits(const torch::Tensor& context, const torch::Tensor& hidden);  // rows
  torch::Tensor dropped(const torch::Tensor& x) const;
  DecoderState step(const torch::Tensor& inputs, const DecoderState& state);

  NetOptions options_;
  Precision precision_;
  torch::Tensor words_;  // [vocabulary, embedding]: of sources, of targets and of the output
  torch::Tensor bias_;   // [vocabulary] of the output
  std::shared_ptr<SentenceEncoder> encoder_, decoder_;
  std::shared_ptr<ThreadAttention> attention_;
  std::shared_ptr<Linear> bridge_, combine_, region_;
};

}  // namespace hinny
