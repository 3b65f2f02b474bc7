#include "encoder/pair_attention.h"

#include <algorithm>
#include <cmath>

#include "retrieval/dot_products.h"

namespace hinny {
namespace {

constexpr double kLeast = 1e-8;  // as in training

// A matrix that is not owned, perhaps read as its transpose.
struct Products {
  const float* data = nullptr;
  std::size_t row_step = 0, column_step = 1;
  double at(std::size_t row, std::size_t column) const {
    return static_cast<double>(data[row * row_step + column * column_step]);
  }
};

// One sentence with one picture, from products alone: queries ask the context.
class Pair {
 public:
  // products [queries, context]; gram [context, context]; squares [queries].
  Pair(const CrossAttention& attention, std::size_t queries, std::size_t context, Products products,
       const float* gram, std::vector<double> squares)
      : attention_(attention),
        queries_(queries),
        context_(context),
        products_(products),
        gram_(gram),
        weights_(queries * context) {
    normalise();
    for (std::size_t q = 0; q < queries_; ++q) {
      softmax(std::span(weights_).subspan(q * context_, context_), attention_.lambda_softmax);
      cosines_.push_back(cosine(q, squares[q]));
    }
  }

  double score() const {
    if (attention_.pooling == AttentionPooling::mean) {
      double sum = 0;
      for (const double cosine : cosines_) sum += cosine;
      return sum / static_cast<double>(queries_);
    }
    const double most = *std::ranges::max_element(cosines_);
    double sum = 0;
    for (const double cosine : cosines_) sum += std::exp(attention_.lambda_lse * (cosine - most));
    return most + std::log(sum) / attention_.lambda_lse;
  }

  // [queries, context]
  std::vector<double> shares() const {
    std::vector<double> pooled(cosines_);
    if (attention_.pooling == AttentionPooling::mean) {
      std::ranges::fill(pooled, 1 / static_cast<double>(queries_));
    } else {
      softmax(pooled, attention_.lambda_lse);
    }
    std::vector<double> result(weights_);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] *= pooled[i / context_];
    return result;
  }

 private:
  static void softmax(std::span<double> numbers, double lambda) {
    const double most = *std::ranges::max_element(numbers);
    double sum = 0;
    for (double& number : numbers) sum += number = std::exp(lambda * (number - most));
    for (double& number : numbers) number /= sum;
  }

  // weights_ = the products as the softmax over the context reads them.
  void normalise() {
    const bool clips =
        attention_.norm == AttentionNorm::clipped || attention_.norm == AttentionNorm::clipped_l2;
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      const double product = products_.at(i / context_, i % context_);
      weights_[i] = clips && product < 0 ? 0.1 * product : product;
    }
    if (attention_.norm == AttentionNorm::none || attention_.norm == AttentionNorm::clipped) return;
    std::vector<double> column(queries_);
    for (std::size_t c = 0; c < context_; ++c) {
      for (std::size_t q = 0; q < queries_; ++q) column[q] = weights_[q * context_ + c];
      over_queries(column);
      for (std::size_t q = 0; q < queries_; ++q) weights_[q * context_ + c] = column[q];
    }
  }
  void over_queries(std::vector<double>& column) const {
    if (attention_.norm == AttentionNorm::softmax) return softmax(column, 1);
    double squares = 0;
    for (const double number : column) squares += number * number;
    for (double& number : column) number /= std::sqrt(squares) + kLeast;
  }

  // Of a query and the context as it sees it, a: its product with that is a . s, and that one's
  // square a^T G a.
  double cosine(std::size_t query, double square) const {
    const double* weight = weights_.data() + query * context_;
    double product = 0, seen = 0;
    for (std::size_t c = 0; c < context_; ++c) {
      product += weight[c] * products_.at(query, c);
      double row = 0;
      for (std::size_t d = 0; d < context_; ++d) {
        row += weight[d] * static_cast<double>(gram_[c * context_ + d]);
      }
      seen += weight[c] * row;
    }
    return product / std::max(std::sqrt(square * std::max(seen, 0.0)), kLeast);
  }

  const CrossAttention& attention_;
  std::size_t queries_, context_;
  Products products_;
  const float* gram_;
  std::vector<double> weights_, cosines_;
};

std::vector<float> gram_of(std::span<const float> rows, std::size_t dim) {
  const std::size_t count = rows.size() / dim;
  std::vector<float> gram(count * count);
  dot_products(rows.data(), count, rows.data(), count, dim, gram.data());
  return gram;
}

std::vector<double> diagonal(std::span<const float> gram, std::size_t size) {
  std::vector<double> numbers;
  for (std::size_t i = 0; i < size; ++i) {
    numbers.push_back(static_cast<double>(gram[i * size + i]));
  }
  return numbers;
}

// What is the same for all pictures of a question.
struct Asking {
  Asking(const CrossAttention& how, std::span<const float> given, std::size_t size)
      : attention(how), words(given), dim(size), gram(gram_of(given, size)) {}
  std::size_t count() const { return words.size() / dim; }

  // `products` [words, `stride`]: with a picture's regions in its first columns.
  Pair pair(std::span<const float> regions, const std::vector<float>& regions_gram,
            const float* products, std::size_t stride) const {
    const std::size_t each = regions.size() / dim;
    if (attention.direction == AttentionDirection::text_to_image) {
      return {attention,
              count(),
              each,
              {products, stride, 1},
              regions_gram.data(),
              diagonal(gram, count())};
    }
    return {
        attention, each, count(), {products, 1, stride}, gram.data(), diagonal(regions_gram, each)};
  }

  const CrossAttention& attention;
  std::span<const float> words;
  std::size_t dim;
  std::vector<float> gram;  // of the words
};

}  // namespace

std::vector<float> pair_scores(const CrossAttention& attention, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim,
                               std::size_t regions_each) {
  const Asking question(attention, words, dim);
  const std::size_t rows = regions.size() / dim, size = regions_each * dim;
  std::vector<float> products(question.count() * rows);
  dot_products(words.data(), question.count(), regions.data(), rows, dim, products.data());
  std::vector<float> scores;
  for (std::size_t first = 0; first < rows; first += regions_each) {
    const auto picture = regions.subspan(first * dim, size);
    const std::vector<float> gram = gram_of(picture, dim);
    scores.push_back(
        static_cast<float>(question.pair(picture, gram, products.data() + first, rows).score()));
  }
  return scores;
}

std::vector<float> pair_shares(const CrossAttention& attention, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim) {
  const Asking question(attention, words, dim);
  const std::size_t each = regions.size() / dim, count = question.count();
  std::vector<float> products(count * each);
  dot_products(words.data(), count, regions.data(), each, dim, products.data());
  const std::vector<float> gram = gram_of(regions, dim);
  const std::vector<double> shares = question.pair(regions, gram, products.data(), each).shares();
  const bool words_ask = attention.direction == AttentionDirection::text_to_image;
  std::vector<float> result(shares.size());
  for (std::size_t word = 0; word < count; ++word) {
    for (std::size_t region = 0; region < each; ++region) {
      result[word * each + region] =
          static_cast<float>(shares[words_ask ? word * each + region : region * count + word]);
    }
  }
  return result;
}

}  // namespace hinny
