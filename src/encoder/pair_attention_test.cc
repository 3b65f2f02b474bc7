#include "encoder/pair_attention.h"

#include <gtest/gtest.h>

#include <numeric>

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
