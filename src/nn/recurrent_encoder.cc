#include "nn/recurrent_encoder.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/gru.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "base/error.h"
#include "base/threads.h"
#include "nn/recurrent_function.h"

namespace hinny {
namespace {

CellKind cell_kind(const EncoderOptions& options) {
  if (options.kind == "lstm") return CellKind::lstm;
  if (options.reset == "after") return CellKind::gru_reset_after;
  if (options.reset == "before") return CellKind::gru_reset_before;
  throw InputError("no text.reset '" + options.reset + "'", "after or before");
}

class RecurrentEncoder : public SentenceEncoder {
 public:
  explicit RecurrentEncoder(const EncoderOptions& options)
      : options_(options), kind_(cell_kind(options)), precision_(precision_of(options.precision)) {
    add_direction("");
    if (options_.bidirectional) add_direction("_reverse");
  }

  torch::Tensor forward(const torch::Tensor& table, const CaptionBatch& captions) override {
    return table.is_cuda() ? forward_by_torch(table, captions)
                           : forward_by_kernels(table, captions);
  }

  std::int64_t size() const override { return options_.hidden * directions(); }

  nlohmann::json describe(const std::string& prefix) const override {
    nlohmann::json entry = {{"kind", options_.kind},
                            {"prefix", prefix},
                            {"input", options_.input},
                            {"hidden", options_.hidden},
                            {"bidirectional", options_.bidirectional}};
    if (options_.kind == "gru") entry["reset"] = options_.reset;
    return entry;
  }

 private:
  std::int64_t directions() const { return options_.bidirectional ? 2 : 1; }

  void add_direction(const std::string& suffix) {
    const std::int64_t gates = (options_.kind == "lstm" ? 4 : 3) * options_.hidden;
    const double bound = 1.0 / std::sqrt(static_cast<double>(options_.hidden));
    const auto add = [&](const std::string& name, at::IntArrayRef shape) {
      register_parameter(name + suffix, at::zeros(shape).uniform_(-bound, bound));
    };
    add("weight_ih_l0", {gates, options_.input});
    add("weight_hh_l0", {gates, options_.hidden});
    add("bias_ih_l0", {gates});
    add("bias_hh_l0", {gates});
  }

  torch::Tensor forward_by_kernels(const torch::Tensor& table, const CaptionBatch& captions) {
    const DistinctWords words = distinct_words(captions.ids, table.size(0));
    const torch::Tensor vectors = table.index_select(0, words.ids);
    std::vector<torch::Tensor> states;
    const auto weights = parameters(/*recurse=*/false);
    for (std::size_t i = 0; i < weights.size(); i += 4) {
      states.push_back(last_states(vectors,
                                   {weights[i], weights[i + 1], weights[i + 2], weights[i + 3]},
                                   plan(captions.lengths, words, /*backwards=*/i > 0)));
    }
    return states.size() == 1 ? states[0] : at::cat(states, 1);
  }

  std::shared_ptr<const RecurrentRun> plan(const torch::Tensor& lengths, const DistinctWords& words,
                                           bool backwards) const {
    auto run = std::make_shared<RecurrentRun>();
    run->kind = kind_;
    run->precision = precision_;
    run->packing =
        pack(std::span(lengths.data_ptr<std::int64_t>(), static_cast<std::size_t>(lengths.numel())),
             static_cast<std::size_t>(thread_count()), backwards);
    run->word_of.reserve(words.word_of.size());
    for (const std::int64_t token : run->packing.tokens) {
      run->word_of.push_back(words.word_of[static_cast<std::size_t>(token)]);
    }
    return run;
  }

  // On a GPU: cuDNN, which has no GRU of the other form.
  torch::Tensor forward_by_torch(const torch::Tensor& table, const CaptionBatch& captions) {
    if (kind_ == CellKind::gru_reset_before) {
      throw InputError("cuDNN has no GRU with text.reset = \"before\"", "after, or --device cpu");
    }
    const TimeMajor packed = pack_by_time(captions.lengths);
    const auto device = table.device();
    const auto type = precision_ == Precision::bf16 ? at::kBFloat16 : table.scalar_type();
    const torch::Tensor words =
        table.index_select(0, captions.ids.index_select(0, packed.order.to(device))).to(type);
    std::vector<torch::Tensor> weights;
    for (const torch::Tensor& weight : parameters(/*recurse=*/false)) {
      weights.push_back(weight.to(type));
    }
    const torch::Tensor zero =
        at::zeros({directions(), captions.captions(), options_.hidden}, words.options());
    const torch::Tensor last =  // [dirs, captions, hidden]
        kind_ == CellKind::lstm
            ? std::get<1>(at::lstm(words, packed.batch_sizes, {zero, zero}, weights,
                                   /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0.0,
                                   is_training(), options_.bidirectional))
            : std::get<1>(at::gru(words, packed.batch_sizes, zero, weights, /*has_biases=*/true,
                                  /*num_layers=*/1, /*dropout=*/0.0, is_training(),
                                  options_.bidirectional));
    return last.transpose(0, 1)
        .reshape({captions.captions(), size()})
        .to(table.scalar_type())
        .index_select(0, packed.unsort.to(device));
  }

  EncoderOptions options_;
  CellKind kind_;
  Precision precision_;
};

}  // namespace

TimeMajor pack_by_time(const torch::Tensor& lengths) {
  const std::int64_t captions = lengths.size(0);
  const auto* length = lengths.data_ptr<std::int64_t>();
  std::vector<std::int64_t> start(static_cast<std::size_t>(captions), 0);
  std::vector<std::int64_t> sorted(static_cast<std::size_t>(captions));
  std::iota(sorted.begin(), sorted.end(), 0);
  std::partial_sum(length, length + captions - 1, start.begin() + 1);
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](std::int64_t a, std::int64_t b) { return length[a] > length[b]; });

  const std::int64_t tokens = std::accumulate(length, length + captions, std::int64_t{0});
  TimeMajor packed;
  packed.order = at::zeros({tokens}, at::kLong);
  packed.batch_sizes = at::zeros({length[sorted[0]]}, at::kLong);
  packed.unsort = at::zeros({captions}, at::kLong);
  auto* order = packed.order.data_ptr<std::int64_t>();
  auto* sizes = packed.batch_sizes.data_ptr<std::int64_t>();
  auto* unsort = packed.unsort.data_ptr<std::int64_t>();
  for (std::int64_t step = 0; step < packed.batch_sizes.size(0); ++step) {
    for (const std::int64_t caption : sorted) {
      if (length[caption] <= step) break;
      *order++ = start[static_cast<std::size_t>(caption)] + step;
      ++sizes[step];
    }
  }
  for (std::int64_t i = 0; i < captions; ++i) unsort[sorted[static_cast<std::size_t>(i)]] = i;
  return packed;
}

std::shared_ptr<SentenceEncoder> make_recurrent_encoder(const EncoderOptions& options) {
  return std::make_shared<RecurrentEncoder>(options);
}

}  // namespace hinny
