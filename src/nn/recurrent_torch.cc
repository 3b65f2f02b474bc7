#include "nn/recurrent_torch.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/gru.h>
#include <ATen/ops/lstm.h>
#include <ATen/ops/zeros.h>

#include "base/error.h"
#include "nn/caption_batch.h"

namespace hinny {
namespace {

torch::Tensor active_at_each_step(const Packing::Shard& shard) {
  std::vector<std::int64_t> active;
  for (std::int64_t step = 0; step < shard.steps(); ++step) active.push_back(shard.active(step));
  return positions(active);
}

// The place of each caption in the packing's order.
torch::Tensor places(const std::vector<std::int64_t>& captions) {
  std::vector<std::int64_t> place(captions.size());
  for (std::size_t i = 0; i < captions.size(); ++i) {
    place[static_cast<std::size_t>(captions[i])] = static_cast<std::int64_t>(i);
  }
  return positions(place);
}

void check_known(CellKind kind) {
  if (kind != CellKind::gru_reset_before) return;
  throw InputError("libtorch and cuDNN have no GRU with text.reset = \"before\"",
                   "after; or --device cpu, but for san, dan and scan");
}

// What at::lstm and at::gru give: every packed row's state, and the last ones.
struct States {
  torch::Tensor all;   // [tokens, hidden]
  torch::Tensor last;  // [captions with words, hidden], in the packing's order
};

// In one block of memory and in this order, as cuDNN reads them; else it copies them itself at each
// call, and says so each time.
std::vector<torch::Tensor> in_one_block(const RecurrentWeights& weights, at::ScalarType type) {
  const torch::Tensor parts[] = {weights.input, weights.recurrent, weights.input_bias,
                                 weights.recurrent_bias};
  std::vector<torch::Tensor> flat;
  for (const torch::Tensor& part : parts) flat.push_back(part.flatten().to(type));
  const torch::Tensor block = at::cat(flat);
  std::vector<torch::Tensor> result;
  std::int64_t from = 0;
  for (const torch::Tensor& part : parts) {
    result.push_back(block.narrow(0, from, part.numel()).view(part.sizes()));
    from += part.numel();
  }
  return result;
}

States run_by_torch(const torch::Tensor& words, const RecurrentWeights& weights,
                    const RecurrentRun& run, const torch::Tensor& batch_sizes) {
  const auto type = run.precision == Precision::bf16 ? at::kBFloat16 : words.scalar_type();
  const torch::Tensor tokens =
      words.index_select(0, positions(run.word_of).to(words.device())).to(type);
  const std::vector<torch::Tensor> parameters = in_one_block(weights, type);
  const auto begun = batch_sizes[0].item<std::int64_t>();
  const torch::Tensor zero = at::zeros({1, begun, weights.recurrent.size(1)}, tokens.options());
  const bool trains = torch::GradMode::is_enabled();
  if (run.kind == CellKind::lstm) {
    const auto result = at::lstm(tokens, batch_sizes, {zero, zero}, parameters,
                                 /*has_biases=*/true, /*num_layers=*/1, /*dropout=*/0.0, trains,
                                 /*bidirectional=*/false);
    return {std::get<0>(result).to(words.scalar_type()),
            std::get<1>(result)[0].to(words.scalar_type())};
  }
  const auto result = at::gru(tokens, batch_sizes, zero, parameters, /*has_biases=*/true,
                              /*num_layers=*/1, /*dropout=*/0.0, trains, /*bidirectional=*/false);
  return {std::get<0>(result).to(words.scalar_type()),
          std::get<1>(result)[0].to(words.scalar_type())};
}

}  // namespace

torch::Tensor last_states_by_torch(const torch::Tensor& words, const RecurrentWeights& weights,
                                   const RecurrentRun& run) {
  check_known(run.kind);
  const std::int64_t hidden = weights.recurrent.size(1);
  const auto captions = static_cast<std::int64_t>(run.packing.captions.size());
  const torch::Tensor batch_sizes = active_at_each_step(run.packing.shards.at(0));
  if (batch_sizes.size(0) == 0) return at::zeros({captions, hidden}, words.options());
  torch::Tensor last = run_by_torch(words, weights, run, batch_sizes).last;
  const std::int64_t begun = last.size(0);
  if (begun < captions) {  // those without words
    last = at::cat({last, at::zeros({captions - begun, hidden}, last.options())});
  }
  return last.index_select(0, places(run.packing.captions).to(words.device()));
}

torch::Tensor all_states_by_torch(const torch::Tensor& words, const RecurrentWeights& weights,
                                  const RecurrentRun& run) {
  check_known(run.kind);
  const torch::Tensor batch_sizes = active_at_each_step(run.packing.shards.at(0));
  if (batch_sizes.size(0) == 0) {
    return at::zeros({0, weights.recurrent.size(1)}, words.options());
  }
  return run_by_torch(words, weights, run, batch_sizes)
      .all.index_select(0, places(run.packing.tokens).to(words.device()));
}

}  // namespace hinny
