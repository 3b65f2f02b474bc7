#include "translation/translation_net.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/log_softmax.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "nn/distinct_words.h"
#include "nn/dropout.h"
#include "nn/ragged.h"
#include "translation/first_words.h"

namespace hinny {
namespace {

std::shared_ptr<SentenceEncoder> lstm(const NetOptions& options, std::int64_t hidden,
                                      bool bidirectional = false) {
  EncoderOptions encoder;
  encoder.kind = EncoderKind::lstm;
  encoder.input = options.embedding;
  encoder.hidden = hidden;
  encoder.bidirectional = bidirectional;
  encoder.precision = options.precision;
  return make_sentence_encoder(encoder);
}

LstmState zeros(std::int64_t rows, std::int64_t size, const torch::Tensor& like) {
  const torch::Tensor none = at::zeros({rows, size}, like.options());
  return {none, none};
}

LstmState lstm_step(const SentenceEncoder& lstm, const torch::Tensor& inputs,
                    const LstmState& state) {
  const auto weights = lstm.parameters(/*recurse=*/false);
  const torch::Tensor gates = row_products(inputs, weights[0]) +
                              row_products(state.hidden, weights[1]) + weights[2] + weights[3];
  const auto parts = gates.chunk(4, 1);  // i, f, g, o
  const torch::Tensor cell = parts[1].sigmoid() * state.cell + parts[0].sigmoid() * parts[2].tanh();
  return {parts[3].sigmoid() * cell.tanh(), cell};
}

}  // namespace

TranslationNet::TranslationNet(const NetOptions& options)
    : options_(options), precision_(options.precision) {
  const std::int64_t hidden = options.hidden, size = options.embedding;
  words_ = register_parameter("words",
                              at::empty({options.vocabulary, size}).normal_(0, 1 / input_scale()));
  bias_ = register_parameter("bias", at::zeros({options.vocabulary}));
  encoder_ = register_module("encoder", lstm(options, hidden / 2, true));
  decoder_ = register_module("decoder", lstm(options, hidden));
  if (options.decoder_layers > 1) second_ = register_module("second", lstm(options, size));
  attention_ = register_module("attention", std::make_shared<ThreadAttention>(hidden, precision_));
  bridge_ = register_module("bridge", std::make_shared<Linear>(hidden, size, precision_));
  combine_ = register_module("combine", std::make_shared<Linear>(2 * hidden, size, precision_));
  if (options.region_size > 0) {
    region_ =
        register_module("region", std::make_shared<Linear>(options.region_size, size, precision_));
  }
}

double TranslationNet::input_scale() const {
  return std::sqrt(static_cast<double>(options_.embedding));
}

torch::Tensor TranslationNet::thinned(const torch::Tensor& x, const Shard& rows) const {
  return dropped(x, is_training() ? options_.dropout : 0, rows);
}

torch::Tensor TranslationNet::thinned(const torch::Tensor& x) const {
  return thinned(x, all_rows(x.size(0)));
}

// Each distinct word once.
CaptionWords TranslationNet::look_up(const CaptionBatch& captions) {
  const DistinctWords words = distinct_words(captions.ids, options_.vocabulary);
  return {thinned(words_.index_select(0, words.ids.to(words_.device())) * input_scale()),
          renumbered(captions, words)};
}

SourceStates TranslationNet::encode(const CaptionBatch& sources, const torch::Tensor& regions) {
  return encode_shard(look_up(sources), regions, all_rows(sources.captions()));
}

SourceStates TranslationNet::encode_shard(const CaptionWords& all, const torch::Tensor& regions,
                                          const Shard& shard) {
  const std::int64_t count = shard.count;
  const std::int64_t threads = regions.defined() ? regions.size(1) : 1;
  CaptionWords words{all.table, shard_of(all.captions, shard)};
  if (regions.defined()) words = with_regions(words, regions, shard);
  const torch::Tensor tokens =
      regions.defined() ? (all.captions.lengths + 1) * threads : all.captions.lengths;
  const Ragged shape(words.captions.lengths);
  const torch::Tensor states =
      thinned(encoder_->states(words.table, words.captions), items_of(tokens, shard));
  const std::int64_t half = options_.hidden / 2;
  // What each direction knows at its end: of the sentence as a whole.
  const torch::Tensor last = at::cat({states.index_select(0, shape.last()).slice(1, 0, half),
                                      states.index_select(0, shape.first()).slice(1, half)},
                                     1);
  const std::int64_t longest = shape.longest();
  const torch::Tensor padded = shape.pad(states).view({count, threads, longest, options_.hidden});
  const torch::Tensor lengths = shape.lengths().view({count, threads, 1}).to(padded.device());
  SourceStates result;
  result.states = padded;
  result.mask = shape.mask().view({count, threads, longest}).select(1, 0).to(padded.device());
  result.means = padded.sum(2) / lengths.to(padded.scalar_type());
  result.start = bridge_->forward(last.view({count, threads, options_.hidden}).mean(1)).tanh();
  return result;
}

// Each sentence once per region, the region before its words: u_k = [v_k, x_1, ... x_N].
CaptionWords TranslationNet::with_regions(const CaptionWords& words, const torch::Tensor& regions,
                                          const Shard& shard) {
  const std::int64_t each = regions.size(1);
  const torch::Tensor rows = shard.of(regions).reshape({shard.count * each, regions.size(2)});
  const torch::Tensor seen =
      thinned(region_->forward(rows),
              {shard.first * each, shard.count * each, shard.all * each, shard.group});
  return {at::cat({words.table, seen}), repeated_after(words.captions, each, words.table.size(0))};
}

// `start` of each sentence in place of a first word, and without its last, which predicts nothing.
CaptionWords TranslationNet::with_start(const CaptionWords& words, const torch::Tensor& start) {
  return {at::cat({words.table, start}), shifted(words.captions, words.table.size(0))};
}

torch::Tensor TranslationNet::combined(const torch::Tensor& context, const torch::Tensor& hidden) {
  return combine_->forward(at::cat({context, hidden}, 1)).tanh();  // Eq. 1
}

torch::Tensor TranslationNet::logits(const torch::Tensor& output) {
  return row_products(output, words_, precision_) + bias_;
}

torch::Tensor TranslationNet::loss(const CaptionBatch& sources, const torch::Tensor& regions,
                                   const CaptionBatch& targets) {
  const CaptionWords read = look_up(sources), written = look_up(targets);
  const torch::Tensor sums = in_shards(sources.captions(), [&](const Shard& shard) {
    const torch::Tensor losses =
        losses_of(encode_shard(read, regions, shard), written, targets, shard);
    return Ragged(shard.of(targets.lengths)).pad(losses.unsqueeze(1)).sum({1, 2});
  });
  return sums.sum() / targets.ids.size(0);
}

torch::Tensor TranslationNet::losses_of(const SourceStates& source, const CaptionWords& words,
                                        const CaptionBatch& targets, const Shard& shard) {
  const Shard tokens = items_of(targets.lengths, shard);
  const CaptionWords inputs =
      with_start({words.table, shard_of(words.captions, shard)}, source.start);
  const torch::Tensor hidden = thinned(decoder_->states(inputs.table, inputs.captions), tokens);
  const Ragged shape(shard.of(targets.lengths));
  const Attended attended = attention_->forward(shape.pad(hidden), source);
  torch::Tensor output = combined(shape.packed(attended.context), hidden);
  if (second_) {
    CaptionBatch places = shard_of(targets, shard);
    places.ids = at::arange(output.size(0), targets.ids.options());
    output = output + second_->states(thinned(output, tokens), places);
  }
  return at::cross_entropy_loss(logits(thinned(output, tokens)), tokens.of(targets.ids), {},
                                at::Reduction::None, -100, options_.smoothing);
}

DecoderState TranslationNet::step(const SourceStates& source, const torch::Tensor& inputs,
                                  const LstmState& first, const LstmState& second) {
  DecoderState state;
  state.first = lstm_step(*decoder_, inputs, first);
  const torch::Tensor& hidden = state.first.hidden;
  const Attended attended =
      attention_->forward(hidden.view({source.sentences(), -1, options_.hidden}), source);
  state.weights = attended.weights;
  state.output = combined(attended.context.reshape(hidden.sizes()), hidden);
  if (second_) {
    state.second = lstm_step(*second_, state.output, second);
    state.output = state.output + state.second.hidden;
  }
  return state;
}

DecoderState TranslationNet::start(const SourceStates& source) {
  const std::int64_t rows = source.sentences();
  return step(source, source.start, zeros(rows, options_.hidden, source.start),
              zeros(rows, options_.embedding, source.start));
}

torch::Tensor TranslationNet::predict(const DecoderState& state) {
  return at::log_softmax(logits(state.output), 1);
}

DecoderState TranslationNet::advance(const SourceStates& source, const DecoderState& state,
                                     const torch::Tensor& which, const torch::Tensor& words) {
  return step(source, words_.index_select(0, words) * input_scale(), state.first.rows(which),
              second_ ? state.second.rows(which) : LstmState{});
}

}  // namespace hinny
