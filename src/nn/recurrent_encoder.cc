#include "nn/recurrent_encoder.h"

#include <ATen/ops/gru.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hinny {
namespace {

class RecurrentEncoder : public SentenceEncoder {
 public:
  explicit RecurrentEncoder(const EncoderOptions& options) : options_(options) {
    add_direction("");
    if (options_.bidirectional) add_direction("_reverse");
  }

  torch::Tensor forward(const torch::Tensor& table, const CaptionBatch& captions) override {
    const TimeMajor packed = pack_by_time(captions.lengths);
    const auto device = table.device();
    const torch::Tensor words =
        table.index_select(0, captions.ids.index_select(0, packed.order.to(device)));
    const torch::Tensor last = last_states(words, packed.batch_sizes);  // [dirs, captions, hidden]
    return last.transpose(0, 1)
        .reshape({captions.captions(), size()})
        .index_select(0, packed.unsort.to(device));
  }

  std::int64_t size() const override { return options_.hidden * directions(); }

  nlohmann::json describe(const std::string& prefix) const override {
    nlohmann::json entry = {{"kind", options_.kind},
                            {"prefix", prefix},
                            {"input", options_.input},
                            {"hidden", options_.hidden},
                            {"bidirectional", options_.bidirectional}};
    if (options_.kind == "gru") entry["reset"] = "after";
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

  // The place of the fast kernels: packed words in, last states out.
  torch::Tensor last_states(const torch::Tensor& words, const torch::Tensor& batch_sizes) {
    const std::int64_t captions = batch_sizes[0].item<std::int64_t>();
    const torch::Tensor zero =
        at::zeros({directions(), captions, options_.hidden}, words.options());
    const auto weights = parameters(/*recurse=*/false);
    if (options_.kind == "lstm") {
      return std::get<1>(at::lstm(words, batch_sizes, {zero, zero}, weights, /*has_biases=*/true,
                                  /*num_layers=*/1, /*dropout=*/0.0, is_training(),
                                  options_.bidirectional));
    }
    return std::get<1>(at::gru(words, batch_sizes, zero, weights, /*has_biases=*/true,
                               /*num_layers=*/1, /*dropout=*/0.0, is_training(),
                               options_.bidirectional));
  }

  EncoderOptions options_;
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
