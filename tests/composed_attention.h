// SCAN's scores as its public code composes them, one caption at a time.
#pragma once

#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <torch/types.h>

#include <vector>

#include "model/attention.h"

namespace hinny {

inline torch::Tensor normalised(AttentionNorm norm, torch::Tensor products, std::int64_t queries) {
  if (norm == AttentionNorm::softmax) return at::softmax(products, queries);
  if (norm == AttentionNorm::clipped || norm == AttentionNorm::clipped_l2) {
    products = at::leaky_relu(products, 0.1);
  }
  if (norm == AttentionNorm::none || norm == AttentionNorm::clipped) return products;
  return products / (products.norm(2, {queries}, /*keepdim=*/true) + 1e-8);
}

// One caption's [words, dim] with all images -> [images]
inline torch::Tensor scores_of(const CrossAttention& attention, const torch::Tensor& images,
                               const torch::Tensor& words) {
  const bool words_ask = attention.direction == AttentionDirection::text_to_image;
  const torch::Tensor products = at::matmul(images, words.transpose(0, 1));
  const std::int64_t queries = words_ask ? 2 : 1, context = words_ask ? 1 : 2;
  const torch::Tensor weights = at::softmax(
      normalised(attention.norm, products, queries) * attention.lambda_softmax, context);
  const torch::Tensor attended = words_ask ? at::matmul(weights.transpose(1, 2), images)
                                           : at::matmul(weights, words);  // [images, queries, dim]
  const torch::Tensor query = words_ask ? words.unsqueeze(0) : images;
  const torch::Tensor both = query.norm(2, {2}, false) * attended.norm(2, {2}, false);
  const torch::Tensor cosines = (query * attended).sum(2) / both.clamp_min(1e-8);
  if (attention.pooling == AttentionPooling::mean) return cosines.mean(1);
  return (cosines * attention.lambda_lse).logsumexp(1) / attention.lambda_lse;
}

inline torch::Tensor composed_attention_scores(const CrossAttention& attention,
                                               const torch::Tensor& images,
                                               const torch::Tensor& words,
                                               const std::vector<std::int64_t>& lengths) {
  if (lengths.empty()) return images.new_zeros({images.size(0), 0});
  std::vector<torch::Tensor> columns;
  std::int64_t first = 0;
  for (const std::int64_t length : lengths) {
    const bool nothing = length == 0 || images.size(1) == 0;
    columns.push_back(nothing ? images.new_zeros({images.size(0)})
                              : scores_of(attention, images, words.narrow(0, first, length)));
    first += length;
  }
  return at::stack(columns, 1);
}

}  // namespace hinny
