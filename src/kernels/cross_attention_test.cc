#include "kernels/cross_attention.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"
#include "base/threads.h"
#include "kernels/cross_attention_kinds.h"

namespace hinny {
namespace {

using Vector = std::vector<double>;
using Rows = std::vector<Vector>;

double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Vector softmax(Vector x, double sharpness) {
  double sum = 0;
  for (double& value : x) sum += value = std::exp(value * sharpness);
  for (double& value : x) value /= sum;
  return x;
}

// The products of one context vector with all queries.
Vector normalised(Vector x, AttentionNorm norm) {
  if (norm == AttentionNorm::clipped || norm == AttentionNorm::clipped_l2) {
    for (double& value : x) value = value > 0 ? value : 0.1 * value;
  }
  if (norm == AttentionNorm::softmax) return softmax(x, 1);
  if (norm == AttentionNorm::none || norm == AttentionNorm::clipped) return x;
  const double length = std::sqrt(dot(x, x)) + 1e-8;
  for (double& value : x) value /= length;
  return x;
}

// One pair as the paper writes it (section 3.1), attended vectors and all.
double score_of(const CrossAttention& attention, const Rows& queries, const Rows& context) {
  if (queries.empty() || context.empty()) return 0;
  Rows weights;  // [context][query]
  for (const Vector& c : context) {
    Vector products;
    for (const Vector& q : queries) products.push_back(dot(q, c));
    weights.push_back(normalised(products, attention.norm));
  }
  double pooled = 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    Vector over_context;
    for (const Vector& weight : weights) over_context.push_back(weight[q]);
    over_context = softmax(over_context, attention.lambda_softmax);
    Vector attended(queries[q].size());
    for (std::size_t c = 0; c < context.size(); ++c) {
      for (std::size_t i = 0; i < attended.size(); ++i) {
        attended[i] += over_context[c] * context[c][i];
      }
    }
    const double both = std::sqrt(dot(queries[q], queries[q]) * dot(attended, attended));
    const double cosine = dot(queries[q], attended) / std::max(both, 1e-8);
    pooled += attention.pooling == AttentionPooling::mean ? cosine
                                                          : std::exp(attention.lambda_lse * cosine);
  }
  return attention.pooling == AttentionPooling::mean ? pooled / static_cast<double>(queries.size())
                                                     : std::log(pooled) / attention.lambda_lse;
}

template <typename T>
struct Case {
  std::int64_t images = 0, regions = 0, dim = 0;
  std::vector<std::int64_t> lengths;
  std::vector<T> image_numbers, word_numbers;

  CrossAttentionInput<T> input() const {
    return {images, regions, dim, image_numbers.data(), word_numbers.data(), lengths};
  }
  std::size_t pairs() const { return static_cast<std::size_t>(images) * lengths.size(); }
};

template <typename T>
Case<T> make(std::int64_t images, std::int64_t regions, std::int64_t dim,
             std::vector<std::int64_t> lengths) {
  Random random(5);
  const std::int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  Case<T> made{images, regions, dim, std::move(lengths), {}, {}};
  for (std::int64_t i = 0; i < images * regions * dim; ++i) {
    made.image_numbers.push_back(static_cast<T>(random.normal() * 0.5));
  }
  for (std::int64_t i = 0; i < tokens * dim; ++i) {
    made.word_numbers.push_back(static_cast<T>(random.normal() * 0.5));
  }
  return made;
}

template <typename T>
Rows rows_of(const std::vector<T>& numbers, std::int64_t first, std::int64_t count,
             std::int64_t dim) {
  Rows rows;
  for (std::int64_t row = first; row < first + count; ++row) {
    rows.emplace_back(numbers.begin() + row * dim, numbers.begin() + (row + 1) * dim);
  }
  return rows;
}

template <typename T>
Vector one_by_one(const CrossAttention& attention, const Case<T>& c) {
  Vector scores;
  for (std::int64_t image = 0; image < c.images; ++image) {
    const Rows regions = rows_of(c.image_numbers, image * c.regions, c.regions, c.dim);
    std::int64_t first = 0;
    for (const std::int64_t length : c.lengths) {
      const Rows words = rows_of(c.word_numbers, first, length, c.dim);
      scores.push_back(attention.direction == AttentionDirection::text_to_image
                           ? score_of(attention, words, regions)
                           : score_of(attention, regions, words));
      first += length;
    }
  }
  return scores;
}

template <typename T>
std::vector<T> scores_of(const CrossAttention& attention, const Case<T>& c) {
  std::vector<T> scores(c.pairs(), T{77});
  cross_attention_scores(attention, c.input(), scores.data());
  return scores;
}

class CrossAttentionOf : public testing::TestWithParam<CrossAttention> {
 protected:
  void SetUp() override { set_thread_count(2); }
};

TEST_P(CrossAttentionOf, ScoresEqualOnePairAtATime) {
  for (const std::int64_t images : {1, 19}) {
    const auto c = make<float>(images, 7, 9, {1, 5, 0, 12, 2, 140, 3});
    const auto ours = scores_of(GetParam(), c);
    const auto expected = one_by_one(GetParam(), c);
    for (std::size_t i = 0; i < ours.size(); ++i) ASSERT_NEAR(ours[i], expected[i], 1e-5) << i;
  }
}

TEST_P(CrossAttentionOf, GradientsEqualCentralDifferences) {
  auto c = make<double>(17, 3, 5, {1, 4, 0, 3});
  Vector weights(c.pairs());
  Random random(6);
  for (double& weight : weights) weight = random.uniform() < 0.4 ? 0 : random.normal();
  for (std::size_t image = 0; image < 17; ++image)
    weights[image * 4 + 3] = 0;  // a caption for none
  Vector image_gradients(c.image_numbers.size(), 9), word_gradients(c.word_numbers.size(), 9);
  cross_attention_gradients(GetParam(), c.input(), weights.data(), image_gradients.data(),
                            word_gradients.data());
  const auto check = [&](Vector& numbers, const Vector& gradients) {
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      constexpr double kStep = 1e-6;
      const double kept = numbers[i];
      numbers[i] = kept + kStep;
      const double above = dot(scores_of(GetParam(), c), weights);
      numbers[i] = kept - kStep;
      const double below = dot(scores_of(GetParam(), c), weights);
      numbers[i] = kept;
      ASSERT_NEAR(gradients[i], (above - below) / (2 * kStep), 1e-6) << i;
    }
  };
  check(c.image_numbers, image_gradients);
  check(c.word_numbers, word_gradients);
}

TEST_P(CrossAttentionOf, GradientsInFloatStayNear) {
  const std::vector<std::int64_t> lengths = {4, 60, 1, 33, 130, 20, 20, 9};
  const auto exact = make<double>(35, 6, 8, lengths);
  const auto rough = make<float>(35, 6, 8, lengths);
  const auto gradients = [&]<typename T>(const Case<T>& c) {
    std::vector<T> weights(c.pairs()), image(c.image_numbers.size()), word(c.word_numbers.size());
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<T>(i % 7) - T{3};
    cross_attention_gradients(GetParam(), c.input(), weights.data(), image.data(), word.data());
    image.insert(image.end(), word.begin(), word.end());
    return image;
  };
  const auto ours = gradients(rough);
  const auto expected = gradients(exact);
  double most = 0;
  for (const double value : expected) most = std::max(most, std::abs(value));
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_NEAR(ours[i], expected[i], 1e-4 * most) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, CrossAttentionOf, testing::ValuesIn(every_kind(4, 5)), kind_name);

TEST(CrossAttention, EqualOnAnyNumberOfThreads) {
  const auto c = make<float>(40, 5, 16, std::vector<std::int64_t>(50, 11));
  set_thread_count(1);
  const auto one = scores_of({}, c);
  for (const int threads : {2, 3, 8}) {
    set_thread_count(threads);
    EXPECT_EQ(scores_of({}, c), one) << threads;
  }
}

TEST(CrossAttention, NoImagesNoCaptionsNoRegions) {
  for (const auto& c : {make<float>(0, 4, 6, {2, 3}), make<float>(3, 4, 6, {}),
                        make<float>(2, 0, 6, {1, 2}), make<float>(2, 3, 6, {0, 0})}) {
    for (const float score : scores_of({}, c)) EXPECT_EQ(score, 0);
    const std::vector<float> given(c.pairs(), 1);
    std::vector<float> image(c.image_numbers.size(), 9), word(c.word_numbers.size(), 9);
    cross_attention_gradients({}, c.input(), given.data(), image.data(), word.data());
    for (const float number : image) EXPECT_EQ(number, 0);
    for (const float number : word) EXPECT_EQ(number, 0);
  }
}

// A word that the encoder left at zero, an image without content.
TEST(CrossAttention, ZeroVectorsScoreNothingAndSpoilNothing) {
  for (const CrossAttention& attention : every_kind(4, 5)) {
    auto c = make<float>(2, 3, 4, {2, 2});
    std::fill_n(c.word_numbers.begin(), 2 * 4, 0.0F);
    std::fill_n(c.image_numbers.begin(), 3 * 4, 0.0F);
    const auto expected = one_by_one(attention, c);
    const auto ours = scores_of(attention, c);
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], expected[i], 1e-5);
    const std::vector<float> given(c.pairs(), 1);
    std::vector<float> image(c.image_numbers.size()), word(c.word_numbers.size());
    cross_attention_gradients(attention, c.input(), given.data(), image.data(), word.data());
    for (const float number : image) EXPECT_TRUE(std::isfinite(number));
    for (const float number : word) EXPECT_TRUE(std::isfinite(number));
  }
}

// Sharp enough that e^x leaves float's range unless the greatest is taken out first.
TEST(CrossAttention, SharpSoftmaxesStayFinite) {
  auto c = make<float>(3, 4, 8, {3, 5});
  for (float& number : c.image_numbers) number *= 20;
  for (const auto norm : {AttentionNorm::none, AttentionNorm::clipped_l2, AttentionNorm::softmax}) {
    const CrossAttention sharp{AttentionDirection::text_to_image, norm,
                               AttentionPooling::log_sum_exp, 200, 300};
    for (const float score : scores_of(sharp, c)) {
      EXPECT_LE(std::abs(score), 1.01F + std::log(5.0F) / 300);
    }
  }
}

}  // namespace
}  // namespace hinny
