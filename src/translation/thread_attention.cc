#include "translation/thread_attention.h"

#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/softmax.h>
#include <torch/nn/init.h>

#include "nn/product.h"

namespace hinny {

SourceStates SourceStates::rows(const torch::Tensor& sentences) const {
  return {states.index_select(0, sentences), mask.index_select(0, sentences),
          means.index_select(0, sentences), start.index_select(0, sentences)};
}

ThreadAttention::ThreadAttention(std::int64_t hidden, Precision precision) : precision_(precision) {
  weight_ = register_parameter("weight", at::empty({hidden, hidden}));
  torch::nn::init::xavier_uniform_(weight_);
}

Attended ThreadAttention::forward(const torch::Tensor& queries, const SourceStates& source) {
  const std::int64_t count = queries.size(0), times = queries.size(1), hidden = queries.size(2);
  const std::int64_t threads = source.states.size(1), words = source.states.size(2);
  const torch::Tensor asked =
      row_products(queries.reshape({count * times, hidden}), weight_, precision_)
          .view(queries.sizes());
  const torch::Tensor states = source.states.reshape({count, threads * words, hidden});
  torch::Tensor of_words =
      at::bmm(asked, states.transpose(1, 2)).view({count, times, threads, words});
  of_words = at::softmax(of_words + source.mask.view({count, 1, 1, words}), 3);
  torch::Tensor weights = of_words;
  if (threads > 1) {
    const torch::Tensor of_threads =
        at::softmax(at::bmm(asked, source.means.transpose(1, 2)), 2);  // [count, times, threads]
    weights = of_words * of_threads.unsqueeze(3);
  }
  return {at::bmm(weights.reshape({count, times, threads * words}), states), weights};
}

}  // namespace hinny
