#include "encoder/pair_attention.h"

#include <algorithm>
#include <cmath>

#include "base/every_processor.h"
#include "base/vector_math.h"
#include "retrieval/dot_products.h"

namespace hinny {
namespace {

constexpr float kLeast = 1e-8F;  // as in training

// A matrix that is not owned, perhaps read as its transpose.
struct Products {
  const float* data = nullptr;
  std::size_t row_step = 0, column_step = 1;
  float at(std::size_t row, std::size_t column) const {
    return data[row * row_step + column * column_step];
  }
};

[[gnu::always_inline]] inline void exponentials(float* numbers, std::size_t count, float lambda,
                                                float most) {
  for (std::size_t i = 0; i < count; ++i) numbers[i] = quick_exp(lambda * (numbers[i] - most));
}

void softmax(std::span<float> numbers, float lambda) {
  on_this_processor<exponentials>(numbers.data(), numbers.size(), lambda,
                                  *std::ranges::max_element(numbers));
  float sum = 0;
  for (const float number : numbers) sum += number;
  for (float& number : numbers) number /= sum;
}

// `sums` [size] = weights [size] x matrix [size, size].
[[gnu::always_inline]] inline void weighted_rows(const float* weights, const float* matrix,
                                                 std::size_t size, float* sums) {
  for (std::size_t d = 0; d < size; ++d) sums[d] = 0;
  for (std::size_t c = 0; c < size; ++c) {
    for (std::size_t d = 0; d < size; ++d) sums[d] += weights[c] * matrix[c * size + d];
  }
}

// One sentence with one picture, from products alone: queries ask the context.
class Pair {
 public:
  // products [queries, context]; gram [context, context]; squares [queries].
  Pair(const CrossAttention& attention, std::size_t context, Products products,
       std::span<const float> gram, std::span<const float> squares)
      : attention_(attention),
        queries_(squares.size()),
        context_(context),
        products_(products),
        gram_(gram),
        weights_(queries_ * context_),
        seen_(context_) {
    normalise();
    for (std::size_t q = 0; q < queries_; ++q) {
      softmax(weights(q), static_cast<float>(attention_.lambda_softmax));
      cosines_.push_back(cosine(q, squares[q]));
    }
  }

  float score() const {
    if (attention_.pooling == AttentionPooling::mean) {
      float sum = 0;
      for (const float cosine : cosines_) sum += cosine;
      return sum / static_cast<float>(queries_);
    }
    const auto lambda = static_cast<float>(attention_.lambda_lse);
    const float most = *std::ranges::max_element(cosines_);
    float sum = 0;
    for (const float cosine : cosines_) sum += std::exp(lambda * (cosine - most));
    return most + std::log(sum) / lambda;
  }

  // [queries, context]
  std::vector<float> shares() const {
    std::vector<float> pooled(cosines_);
    if (attention_.pooling == AttentionPooling::mean) {
      std::ranges::fill(pooled, 1 / static_cast<float>(queries_));
    } else {
      softmax(pooled, static_cast<float>(attention_.lambda_lse));
    }
    std::vector<float> result(weights_);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] *= pooled[i / context_];
    return result;
  }

 private:
  std::span<float> weights(std::size_t query) {
    return std::span(weights_).subspan(query * context_, context_);
  }

  // weights_ = the products as the softmax over the context reads them.
  void normalise() {
    const bool clips =
        attention_.norm == AttentionNorm::clipped || attention_.norm == AttentionNorm::clipped_l2;
    for (std::size_t q = 0; q < queries_; ++q) {
      for (std::size_t c = 0; c < context_; ++c) {
        const float product = products_.at(q, c);
        weights_[q * context_ + c] = clips && product < 0 ? 0.1F * product : product;
      }
    }
    if (attention_.norm == AttentionNorm::none || attention_.norm == AttentionNorm::clipped) return;
    std::vector<float> column(queries_);
    for (std::size_t c = 0; c < context_; ++c) {
      for (std::size_t q = 0; q < queries_; ++q) column[q] = weights_[q * context_ + c];
      over_queries(column);
      for (std::size_t q = 0; q < queries_; ++q) weights_[q * context_ + c] = column[q];
    }
  }
  void over_queries(std::vector<float>& column) const {
    if (attention_.norm == AttentionNorm::softmax) return softmax(column, 1);
    float squares = 0;
    for (const float number : column) squares += number * number;
    const float length = std::sqrt(squares) + kLeast;
    for (float& number : column) number /= length;
  }

  // Of a query and the context as it sees it, a: its product with that is a . s, and that one's
  // square a^T G a.
  float cosine(std::size_t query, float square) {
    const std::span<const float> weight = weights(query);
    on_this_processor<weighted_rows>(weight.data(), gram_.data(), context_, seen_.data());
    float product = 0, seen = 0;
    for (std::size_t c = 0; c < context_; ++c) {
      product += weight[c] * products_.at(query, c);
      seen += weight[c] * seen_[c];
    }
    return product / std::max(std::sqrt(square * std::max(seen, 0.0F)), kLeast);
  }

  const CrossAttention& attention_;
  std::size_t queries_, context_;
  Products products_;
  std::span<const float> gram_;
  std::vector<float> weights_, seen_, cosines_;
};

std::vector<float> gram_of(std::span<const float> rows, std::size_t dim) {
  const std::size_t count = rows.size() / dim;
  std::vector<float> gram(count * count);
  dot_products_alone(rows.data(), count, rows.data(), count, dim, gram.data());
  return gram;
}

std::vector<float> squares_of(std::span<const float> rows, std::size_t dim) {
  std::vector<float> squares(rows.size() / dim);
  for (std::size_t i = 0; i < squares.size(); ++i) {
    const float* row = rows.data() + i * dim;
    dot_products_alone(row, 1, row, 1, dim, &squares[i]);
  }
  return squares;
}

// A sentence, and what is the same for all pictures of it.
class Asking {
 public:
  Asking(const CrossAttention& attention, std::span<const float> words, std::size_t dim)
      : attention_(attention),
        words_(words),
        dim_(dim),
        words_ask_(attention.direction == AttentionDirection::text_to_image),
        of_words_(words_ask_ ? squares_of(words, dim) : gram_of(words, dim)) {}

  bool words_ask() const { return words_ask_; }
  std::size_t count() const { return words_.size() / dim_; }
  // [words, regions]
  std::vector<float> products(std::span<const float> regions) const {
    std::vector<float> result(count() * (regions.size() / dim_));
    dot_products_alone(words_.data(), count(), regions.data(), regions.size() / dim_, dim_,
                       result.data());
    return result;
  }
  // `use` gets a picture's Pair; `products` [words, `stride`], with its regions in the first
  // columns.
  template <typename Use>
  auto with(std::span<const float> regions, const float* products, std::size_t stride,
            const Use& use) const {
    if (words_ask_) {
      return use(Pair(attention_, regions.size() / dim_, {products, stride, 1},
                      gram_of(regions, dim_), of_words_));
    }
    return use(
        Pair(attention_, count(), {products, 1, stride}, of_words_, squares_of(regions, dim_)));
  }

 private:
  const CrossAttention& attention_;
  std::span<const float> words_;
  std::size_t dim_;
  bool words_ask_;
  std::vector<float> of_words_;  // their squares, or all their products
};

}  // namespace

std::vector<float> pair_scores(const CrossAttention& attention, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim,
                               std::size_t regions_each) {
  const Asking question(attention, words, dim);
  const std::size_t rows = regions.size() / dim;
  const std::vector<float> products = question.products(regions);
  std::vector<float> scores;
  for (std::size_t first = 0; first < rows; first += regions_each) {
    scores.push_back(question.with(regions.subspan(first * dim, regions_each * dim),
                                   products.data() + first, rows,
                                   [](const Pair& pair) { return pair.score(); }));
  }
  return scores;
}

std::vector<float> pair_shares(const CrossAttention& attention, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim) {
  const Asking question(attention, words, dim);
  const std::size_t each = regions.size() / dim, count = question.count();
  std::vector<float> shares = question.with(regions, question.products(regions).data(), each,
                                            [](const Pair& pair) { return pair.shares(); });
  if (question.words_ask()) return shares;
  std::vector<float> result(shares.size());
  for (std::size_t word = 0; word < count; ++word) {
    for (std::size_t region = 0; region < each; ++region) {
      result[word * each + region] = shares[region * count + word];
    }
  }
  return result;
}

}  // namespace hinny
