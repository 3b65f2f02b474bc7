// A translation network: bidirectional LSTM, attention, LSTM (Luong et al. 2015; Huang et al. 2020,
// section 3.1). docs/systems/translation.md has the decisions that the papers leave open.
#pragma once

#include <torch/nn/module.h>

#include <memory>

#include "nn/product.h"
#include "nn/sentence_encoder.h"
#include "nn/shards.h"
#include "translation/thread_attention.h"

namespace hinny {

struct NetOptions {
  std::int64_t vocabulary = 0;  // of source and target words together
  std::int64_t embedding = 256;
  std::int64_t hidden = 512;  // even
  std::int64_t decoder_layers = 1;
  std::int64_t region_size = 0;  // numbers of an image region; 0: text alone
  double dropout = 0.0;
  double smoothing = 0.0;  // of labels
  Precision precision = Precision::fp32;
};

// Of one LSTM, a row for each beginning of a translation.
struct LstmState {
  torch::Tensor hidden, cell;  // [rows, size]
  LstmState rows(const torch::Tensor& which) const {
    return {hidden.index_select(0, which), cell.index_select(0, which)};
  }
};

// What a decoder knows of translations' beginnings, as many for each sentence.
struct DecoderState {
  LstmState first;        // [rows, hidden]
  LstmState second;       // [rows, embedding], of two layers
  torch::Tensor output;   // [rows, embedding] what is compared with the words that may follow
  torch::Tensor weights;  // as in Attended
};

class TranslationNet : public torch::nn::Module {
 public:
  explicit TranslationNet(const NetOptions& options);

  // `regions` [sentences, regions, region_size], or undefined: text alone, whatever the net can.
  SourceStates encode(const CaptionBatch& sources, const torch::Tensor& regions);
  // Mean over target words of the smoothed cross-entropy; `targets` end with an end mark (Eq. 6).
  // In shards of sentences (nn/shards.h).
  torch::Tensor loss(const CaptionBatch& sources, const torch::Tensor& regions,
                     const CaptionBatch& targets);

  // For search: the state before a translation's first word, log-probabilities of the words that
  // may follow [rows, vocabulary], and the state after words [rows] behind rows `which` of the
  // beginnings, whose sentences are `source`.
  DecoderState start(const SourceStates& source);
  torch::Tensor predict(const DecoderState& state);
  DecoderState advance(const SourceStates& source, const DecoderState& state,
                       const torch::Tensor& which, const torch::Tensor& words);

  const NetOptions& options() const { return options_; }

 private:
  // What is read is as large as a state, what is compared with one is small (Vaswani et al. 2017).
  double input_scale() const;
  CaptionWords look_up(const CaptionBatch& captions);
  // `words` and `regions` of all sentences: encodes those of the shard.
  SourceStates encode_shard(const CaptionWords& words, const torch::Tensor& regions,
                            const Shard& shard);
  // For each target word of the shard its smoothed cross-entropy.
  torch::Tensor losses_of(const SourceStates& source, const CaptionWords& words,
                          const CaptionBatch& targets, const Shard& shard);
  CaptionWords with_regions(const CaptionWords& words, const torch::Tensor& regions,
                            const Shard& shard);
  CaptionWords with_start(const CaptionWords& words, const torch::Tensor& start);
  // Rows -> [rows, embedding]
  torch::Tensor combined(const torch::Tensor& context, const torch::Tensor& hidden);
  torch::Tensor logits(const torch::Tensor& output);
  // x has the rows of the shard.
  torch::Tensor thinned(const torch::Tensor& x, const Shard& rows) const;
  torch::Tensor thinned(const torch::Tensor& x) const;
  DecoderState step(const SourceStates& source, const torch::Tensor& inputs, const LstmState& first,
                    const LstmState& second);

  NetOptions options_;
  Precision precision_;
  torch::Tensor words_;  // [vocabulary, embedding]: of sources, of targets and of the output
  torch::Tensor bias_;   // [vocabulary] of the output
  std::shared_ptr<SentenceEncoder> encoder_, decoder_;
  std::shared_ptr<SentenceEncoder> second_;  // null with one layer
  std::shared_ptr<ThreadAttention> attention_;
  std::shared_ptr<Linear> bridge_, combine_, region_;
};

}  // namespace hinny
