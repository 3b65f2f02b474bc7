#include "encoder/pair_attention.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/random.h"

namespace hinny {
namespace {

// Three regions, each of which shows one thing; the words name the first and the third.
const std::vector<float> kRegions = {1, 0, 0, 0, 1, 0, 0, 0, 1};
const std::vector<float> kWords = {1, 0, 0, 0, 0, 1};

CrossAttention attention(AttentionDirection direction, AttentionPooling pooling) {
  CrossAttention result;
  result.direction = direction;
  result.pooling = pooling;
  result.lambda_softmax = 20;
  return result;
}

TEST(PairShares, LieWhereAWordIsShown) {
  for (const auto pooling : {AttentionPooling::log_sum_exp, AttentionPooling::mean}) {
    const auto shares =
        pair_shares(attention(AttentionDirection::text_to_image, pooling), kWords, kRegions, 3);
    ASSERT_EQ(shares.size(), 6U);
    EXPECT_NEAR(shares[0], 0.5, 1e-3);            // first word, first region
    EXPECT_NEAR(shares[3 + 2], 0.5, 1e-3);        // second word, third region
    EXPECT_NEAR(shares[1] + shares[4], 0, 1e-3);  // nobody names the second
  }
}

TEST(PairShares, OfRegionsThatAskAddUpToOneToo) {
  const auto shares =
      pair_shares(attention(AttentionDirection::image_to_text, AttentionPooling::log_sum_exp),
                  kWords, kRegions, 3);
  EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), 1, 1e-5);
  EXPECT_GT(shares[0], 5 * shares[2]);  // the third region does not look at the first word
  EXPECT_GT(shares[0], 5 * shares[3]);  // nor the first at the second
}

// Unit rows of random numbers.
std::vector<float> drawn(std::size_t count, std::size_t dim, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> rows(count * dim);
  for (std::size_t i = 0; i < rows.size(); i += dim) {
    double squares = 0;
    for (std::size_t d = 0; d < dim; ++d) {
      rows[i + d] = static_cast<float>(random.normal());
      squares += std::pow(static_cast<double>(rows[i + d]), 2);
    }
    for (std::size_t d = 0; d < dim; ++d) rows[i + d] /= static_cast<float>(std::sqrt(squares));
  }
  return rows;
}

using Rows = std::vector<std::vector<double>>;

Rows split(std::span<const float> numbers, std::size_t dim) {
  Rows rows;
  for (std::size_t i = 0; i < numbers.size(); i += dim) {
    rows.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(i),
                      numbers.begin() + static_cast<std::ptrdiff_t>(i + dim));
  }
  return rows;
}

double product(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// The paper's formula (kernels/cross_attention.h), with each query's context vector written out.
double defined(const CrossAttention& how, const Rows& queries, const Rows& context) {
  std::vector<std::vector<double>> s(queries.size(), std::vector<double>(context.size()));
  for (std::size_t c = 0; c < context.size(); ++c) {
    double squares = 0, raised = 0;
    for (std::size_t q = 0; q < queries.size(); ++q) {
      double& x = s[q][c];
      x = product(queries[q], context[c]);
      const bool clips =
          how.norm == AttentionNorm::clipped || how.norm == AttentionNorm::clipped_l2;
      if (clips && x < 0) x *= 0.1;
      squares += x * x;
      raised += std::exp(x);
    }
    for (auto& row : s) {
      if (how.norm == AttentionNorm::l2 || how.norm == AttentionNorm::clipped_l2) {
        row[c] /= std::sqrt(squares) + 1e-8;
      } else if (how.norm == AttentionNorm::softmax) {
        row[c] = std::exp(row[c]) / raised;
      }
    }
  }
  double sum = 0, raised = 0;
  for (std::size_t q = 0; q < queries.size(); ++q) {
    double all = 0;
    for (const double x : s[q]) all += std::exp(how.lambda_softmax * x);
    std::vector<double> seen(queries[q].size());
    for (std::size_t c = 0; c < context.size(); ++c) {
      for (std::size_t d = 0; d < seen.size(); ++d) {
        seen[d] += std::exp(how.lambda_softmax * s[q][c]) / all * context[c][d];
      }
    }
    const double cosine = product(queries[q], seen) /
                          std::sqrt(product(queries[q], queries[q]) * product(seen, seen));
    sum += cosine;
    raised += std::exp(how.lambda_lse * cosine);
  }
  return how.pooling == AttentionPooling::mean ? sum / static_cast<double>(queries.size())
                                               : std::log(raised) / how.lambda_lse;
}

TEST(PairScores, AreTheFormulaAndDependOnNoOtherPicture) {
  constexpr std::size_t kDim = 37, kEach = 9, kPictures = 20;
  const std::vector<float> words = drawn(7, kDim, 1);
  const std::vector<float> regions = drawn(kPictures * kEach, kDim, 2);
  for (const auto& direction : Choices<AttentionDirection>::all) {
    for (const auto& norm : Choices<AttentionNorm>::all) {
      for (const auto& pooling : Choices<AttentionPooling>::all) {
        CrossAttention how = attention(direction.value, pooling.value);
        how.norm = norm.value;
        const auto scores = pair_scores(how, words, regions, kDim, kEach);
        for (std::size_t i = 0; i < kPictures; ++i) {
          const auto own = std::span(regions).subspan(i * kEach * kDim, kEach * kDim);
          const Rows w = split(words, kDim), r = split(own, kDim);
          const bool words_ask = direction.value == AttentionDirection::text_to_image;
          EXPECT_NEAR(scores[i], words_ask ? defined(how, w, r) : defined(how, r, w), 1e-5)
              << direction.name << norm.name << pooling.name;
          EXPECT_EQ(scores[i], pair_scores(how, words, own, kDim, kEach).front());
        }
      }
    }
  }
}

TEST(PairScores, RankThePictureThatShowsWhatIsSaid) {
  std::vector<float> two = kRegions;
  for (const float number : {0.F, 1.F, 0.F, 0.F, 1.F, 0.F, 0.F, 1.F, 0.F}) two.push_back(number);
  for (const auto direction :
       {AttentionDirection::text_to_image, AttentionDirection::image_to_text}) {
    const auto scores =
        pair_scores(attention(direction, AttentionPooling::mean), kWords, two, 3, 3);
    ASSERT_EQ(scores.size(), 2U);
    EXPECT_GT(scores[0], scores[1] + 0.3F);
  }
}

}  // namespace
}  // namespace hinny
