#include "nn/recurrent_encoder.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/zeros.h>

#include <cmath>

#include "base/threads.h"
#include "nn/distinct_words.h"
#include "nn/recurrent_torch.h"

namespace hinny {
namespace {

CellKind cell_kind(const EncoderOptions& options) {
  if (options.kind == EncoderKind::lstm) return CellKind::lstm;
  return options.reset == ResetGate::after ? CellKind::gru_reset_after : CellKind::gru_reset_before;
}

class RecurrentEncoder : public SentenceEncoder {
 public:
  explicit RecurrentEncoder(const EncoderOptions& options)
      : options_(options), kind_(cell_kind(options)), precision_(options.precision) {
    add_direction("");
    if (options_.bidirectional) add_direction("_reverse");
  }

  torch::Tensor forward(const torch::Tensor& table, const CaptionBatch& captions) override {
    return each_direction(
        table, captions,
        [](const torch::Tensor& words, const auto& own, std::shared_ptr<const RecurrentRun> run) {
          return words.is_cpu() ? last_states(words, own, std::move(run))
                                : last_states_by_torch(words, own, *run);
        });
  }

  torch::Tensor states(const torch::Tensor& table, const CaptionBatch& captions) override {
    return each_direction(
        table, captions,
        [](const torch::Tensor& words, const auto& own, std::shared_ptr<const RecurrentRun> run) {
          return words.is_cpu() ? all_states(words, own, std::move(run))
                                : all_states_by_torch(words, own, *run);
        });
  }

  std::int64_t size() const override { return options_.hidden * directions(); }

  EncoderSpec describe(const std::string& prefix) const override {
    EncoderSpec spec;
    spec.kind = options_.kind;
    spec.prefix = prefix;
    spec.input = static_cast<std::size_t>(options_.input);
    spec.hidden = static_cast<std::size_t>(options_.hidden);
    spec.bidirectional = options_.bidirectional;
    if (spec.kind == EncoderKind::gru) spec.reset = options_.reset;
    return spec;
  }

 private:
  std::int64_t directions() const { return options_.bidirectional ? 2 : 1; }

  void add_direction(const std::string& suffix) {
    const std::int64_t gates = (options_.kind == EncoderKind::lstm ? 4 : 3) * options_.hidden;
    const double bound = 1.0 / std::sqrt(static_cast<double>(options_.hidden));
    const auto add = [&](const std::string& name, at::IntArrayRef shape) {
      register_parameter(name + suffix, at::zeros(shape).uniform_(-bound, bound));
    };
    add("weight_ih_l0", {gates, options_.input});
    add("weight_hh_l0", {gates, options_.hidden});
    add("bias_ih_l0", {gates});
    add("bias_hh_l0", {gates});
    open_gates(named_parameters(false)["bias_ih_l0" + suffix]);
  }

  // LSTM i, f, g, o: f. GRU r, z, n: r and z.
  void open_gates(torch::Tensor& bias) const {
    const torch::NoGradGuard no_gradient;
    const bool lstm = options_.kind == EncoderKind::lstm;
    const std::int64_t first = lstm ? options_.hidden : 0;
    bias.slice(0, first, 2 * options_.hidden).add_(options_.gate_bias);
  }

  // What `run` makes of each direction, side by side.
  template <typename Run>
  torch::Tensor each_direction(const torch::Tensor& table, const CaptionBatch& captions,
                               const Run& run) {
    const DistinctWords words = distinct_words(captions.ids, table.size(0));
    const torch::Tensor vectors = table.index_select(0, words.ids.to(table.device()));
    const std::size_t shards = table.is_cpu() ? static_cast<std::size_t>(thread_count()) : 1;
    std::vector<torch::Tensor> states;
    const auto weights = parameters(/*recurse=*/false);
    for (std::size_t i = 0; i < weights.size(); i += 4) {
      const RecurrentWeights own = {weights[i], weights[i + 1], weights[i + 2], weights[i + 3]};
      states.push_back(
          run(vectors, own, plan(captions.lengths, words, shards, /*backwards=*/i > 0)));
    }
    return states.size() == 1 ? states[0] : at::cat(states, 1);
  }

  std::shared_ptr<const RecurrentRun> plan(const torch::Tensor& lengths, const DistinctWords& words,
                                           std::size_t shards, bool backwards) const {
    auto run = std::make_shared<RecurrentRun>();
    run->kind = kind_;
    run->precision = precision_;
    run->packing =
        pack({lengths.data_ptr<std::int64_t>(), static_cast<std::size_t>(lengths.numel())}, shards,
             backwards);
    run->word_of.reserve(words.word_of.size());
    for (const std::int64_t token : run->packing.tokens) {
      run->word_of.push_back(words.word_of[static_cast<std::size_t>(token)]);
    }
    return run;
  }

  EncoderOptions options_;
  CellKind kind_;
  Precision precision_;
};

}  // namespace

std::shared_ptr<SentenceEncoder> make_recurrent_encoder(const EncoderOptions& options) {
  return std::make_shared<RecurrentEncoder>(options);
}

}  // namespace hinny
