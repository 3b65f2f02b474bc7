#include "nn/batched_attention.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <span>

#include "nn/caption_batch.h"
#include "nn/ragged.h"

namespace hinny {
namespace {

constexpr std::int64_t kMostNumbers = std::int64_t{1} << 26;

// A square root with a gradient at 0 too.
torch::Tensor root(const torch::Tensor& squares) { return squares.clamp_min(1e-30).sqrt(); }

torch::Tensor without_padding(const torch::Tensor& values, const torch::Tensor& there,
                              double instead) {
  return values.masked_fill(there.logical_not(), instead);
}

constexpr double kNever = -std::numeric_limits<double>::infinity();

class Attention {
 public:
  // `words`: those of captions of these lengths.
  Attention(const CrossAttention& how, const torch::Tensor& images, const torch::Tensor& words,
            const Ragged& captions)
      : how_(how),
        images_(images),
        words_(captions.pad(words)),
        there_(captions.there().to(words.device())),
        lengths_(captions.lengths().to(words.device())) {}

  // [images, captions]
  torch::Tensor scores() const {
    const bool words_ask = how_.direction == AttentionDirection::text_to_image;
    const std::int64_t captions = words_.size(0), longest = words_.size(1);
    const torch::Tensor products = at::matmul(images_, words_.flatten(0, 1).transpose(0, 1))
                                       .view({images_.size(0), images_.size(1), captions, longest});
    torch::Tensor logits = normalised(products, words_ask ? 3 : 1) * how_.lambda_softmax;
    if (!words_ask) logits = without_padding(logits, there_, kNever);
    const torch::Tensor weights = at::softmax(logits, words_ask ? 1 : 3);
    const torch::Tensor seen = (weights * products).sum(words_ask ? 1 : 3);
    return words_ask ? of_words(weights, seen) : of_regions(weights, seen);
  }

 private:
  // Over each context's queries. Products with padding are 0, which counts in softmax alone.
  torch::Tensor normalised(torch::Tensor products, std::int64_t queries) const {
    if (how_.norm == AttentionNorm::softmax) {
      if (queries == 1) return at::softmax(products, 1);
      return at::softmax(without_padding(products, there_, kNever), queries);
    }
    if (how_.norm == AttentionNorm::clipped || how_.norm == AttentionNorm::clipped_l2) {
      products = at::leaky_relu(products, 0.1);
    }
    if (how_.norm == AttentionNorm::none || how_.norm == AttentionNorm::clipped) return products;
    return products / (root(products.square().sum(queries, true)) + 1e-8);
  }

  // weights [images, regions, captions, words], seen [images, captions, words]
  torch::Tensor of_words(const torch::Tensor& weights, const torch::Tensor& seen) const {
    const torch::Tensor gram = at::matmul(images_, images_.transpose(1, 2));
    const torch::Tensor flat = weights.flatten(2, 3);  // [images, regions, captions * words]
    const torch::Tensor squares = (flat * at::matmul(gram, flat)).sum(1).view_as(seen);
    const torch::Tensor lengths = root(words_.square().sum(2));
    const torch::Tensor cosines = cosines_of(seen, lengths, squares);
    if (how_.pooling == AttentionPooling::mean) {
      return without_padding(cosines, there_, 0).sum(2) / lengths_;
    }
    return log_sum_exp(without_padding(cosines * how_.lambda_lse, there_, kNever), 2);
  }

  // weights [images, regions, captions, words], seen [images, regions, captions]
  torch::Tensor of_regions(const torch::Tensor& weights, const torch::Tensor& seen) const {
    const torch::Tensor gram = at::matmul(words_, words_.transpose(1, 2));
    // [captions, images * regions, words]
    const torch::Tensor flat = weights.permute({2, 0, 1, 3}).flatten(1, 2);
    const torch::Tensor squares = (flat * at::matmul(flat, gram))
                                      .sum(2)
                                      .view({flat.size(0), images_.size(0), images_.size(1)})
                                      .permute({1, 2, 0});
    const torch::Tensor lengths = root(images_.square().sum(2)).unsqueeze(2);
    const torch::Tensor cosines = cosines_of(seen, lengths, squares);
    if (how_.pooling == AttentionPooling::mean) return cosines.mean(1);
    return log_sum_exp(cosines * how_.lambda_lse, 1);
  }

  static torch::Tensor cosines_of(const torch::Tensor& seen, const torch::Tensor& lengths,
                                  const torch::Tensor& squares) {
    return seen / (lengths * root(squares)).clamp_min(1e-8);
  }

  torch::Tensor log_sum_exp(const torch::Tensor& logits, std::int64_t along) const {
    return logits.logsumexp(along) / how_.lambda_lse;
  }

  const CrossAttention& how_;
  const torch::Tensor& images_;
  torch::Tensor words_;    // [captions, words, dim], 0 after the end
  torch::Tensor there_;    // [captions, words], whether the caption has that word
  torch::Tensor lengths_;  // [captions]
};

}  // namespace

torch::Tensor batched_attention_scores(const CrossAttention& attention, const torch::Tensor& images,
                                       const torch::Tensor& words,
                                       const std::vector<std::int64_t>& lengths) {
  std::vector<std::int64_t> which, own;  // captions with words, and how many
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] == 0) continue;
    which.push_back(static_cast<std::int64_t>(i));
    own.push_back(lengths[i]);
  }
  const auto captions = static_cast<std::int64_t>(lengths.size());
  const torch::Tensor zeros = at::zeros({images.size(0), captions}, images.options());
  if (which.empty() || images.size(0) == 0 || images.size(1) == 0) {
    return zeros + 0 * (images.sum() + words.sum());  // a gradient there too, of zeros
  }
  const std::int64_t longest = *std::ranges::max_element(own);
  const auto at_once = static_cast<std::size_t>(
      std::max(kMostNumbers / (images.size(0) * images.size(1) * longest), std::int64_t{1}));
  std::vector<torch::Tensor> pieces;
  std::int64_t first = 0;
  for (std::size_t i = 0; i < own.size(); i += at_once) {
    const auto some = std::span(own).subspan(i, std::min(at_once, own.size() - i));
    const std::int64_t tokens = std::accumulate(some.begin(), some.end(), std::int64_t{0});
    pieces.push_back(
        Attention(attention, images, words.narrow(0, first, tokens), Ragged(positions(some)))
            .scores());
    first += tokens;
  }
  torch::Tensor scores = at::cat(pieces, 1);
  if (own.size() == lengths.size()) return scores;
  return zeros.index_copy(1, positions(which).to(words.device()), scores);
}

}  // namespace hinny
