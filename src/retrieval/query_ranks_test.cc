#include "retrieval/query_ranks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "base/random.h"
#include "retrieval/recall.h"

namespace hinny {
namespace {

using Ranks = std::vector<int>;

// Three images; captions of the first, the first and the third.
TEST(QueryRanks, WrongOnesAheadAreCounted) {
  const Ranks owners = {0, 0, 2};
  const ScoreMatrix scores{3,
                           3,
                           {1, 5, 4,    //
                            6, 2, 9,    //
                            7, 8, 3}};  // worse than both captions of the first
  const QueryRanks ranks = rank_queries(scores, owners);
  EXPECT_EQ(ranks.by_image, (Ranks{0, QueryRanks::kNoQuery, 2}));
  EXPECT_EQ(ranks.by_caption, (Ranks{2, 1, 2}));
  const LanguageRecall recall = recall_of(ranks);
  EXPECT_EQ(recall.captions, 3U);
  EXPECT_EQ(recall.image_to_text.r1, 50);  // of two images: one has no caption
  EXPECT_EQ(recall.image_to_text.r5, 100);
  EXPECT_EQ(recall.text_to_image.r1, 0);
}

TEST(QueryRanks, VectorsAndTheirProductsRankAlike) {
  constexpr std::size_t kImages = 40, kCaptions = 90, kDim = 4;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Random random(seed);
    std::vector<float> images, captions;
    Ranks owners;
    const auto number = [&] { return static_cast<float>(random.below(4)) - 1.0F; };
    for (std::size_t i = 0; i < kImages * kDim; ++i) images.push_back(number());
    for (std::size_t c = 0; c < kCaptions * kDim; ++c) captions.push_back(number());
    for (std::size_t c = 0; c < kCaptions; ++c) {
      owners.push_back(static_cast<int>(random.below(kImages)));
    }
    ScoreMatrix scores{kImages, kCaptions, std::vector<float>(kImages * kCaptions)};
    for (std::size_t i = 0; i < scores.values.size(); ++i) {
      for (std::size_t d = 0; d < kDim; ++d) {
        scores.values[i] += images[i / kCaptions * kDim + d] * captions[i % kCaptions * kDim + d];
      }
    }
    const QueryRanks of_vectors =
        rank_queries({images, kImages, kDim}, {captions, kCaptions, kDim}, owners);
    const QueryRanks of_scores = rank_queries(scores, owners);
    EXPECT_EQ(of_vectors.by_image, of_scores.by_image);
    EXPECT_EQ(of_vectors.by_caption, of_scores.by_caption);
    EXPECT_EQ(*std::ranges::max_element(of_scores.by_caption), 10);  // no further
  }
}

// Though there are fewer candidates than ten.
TEST(QueryRanks, NaNIsAMissAtAnyK) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Ranks owners = {0, 1};
  const QueryRanks of_scores = rank_queries(ScoreMatrix{2, 2, {nan, 1, 1, 2}}, owners);
  EXPECT_EQ(of_scores.by_image, (Ranks{10, 0}));
  EXPECT_EQ(of_scores.by_caption, (Ranks{10, 0}));
  const std::vector<float> images = {1, 0, 0, 1}, captions = {nan, 0, 0, 1};
  const QueryRanks of_vectors = rank_queries({images, 2, 2}, {captions, 2, 2}, owners);
  EXPECT_EQ(of_vectors.by_caption, (Ranks{10, 0}));
  EXPECT_EQ(of_vectors.by_image, (Ranks{10, 1}));  // the NaN is ahead of the other's own
}

TEST(QueryRanks, CaptionsOfNoImageAreRefused) {
  const Ranks outside = {2}, negative = {-1}, two = {0, 0};
  for (const Ranks& owners : {outside, negative, two}) {
    EXPECT_THROW(rank_queries(ScoreMatrix{2, 1, {1, 2}}, owners), std::invalid_argument);
  }
}

}  // namespace
}  // namespace hinny
