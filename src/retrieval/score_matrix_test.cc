#include "retrieval/score_matrix.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "retrieval/recall.h"
#include "retrieval/score.h"
#include "retrieval/vector_rows.h"

namespace hinny {
namespace {

struct MatrixSample {
  std::size_t dim = 19;  // no multiple of the lanes
  std::vector<float> images, captions;
  std::vector<int> owners;
  VectorRows image_rows() const { return {images, images.size() / dim, dim}; }
  VectorRows caption_rows() const { return {captions, captions.size() / dim, dim}; }
};

// Small whole numbers: products are exact, and ties are plenty.
MatrixSample matrix_sample(std::uint64_t seed) {
  Random random(seed);
  MatrixSample s;
  for (std::size_t i = 0; i < 15 * s.dim; ++i) {
    s.images.push_back(static_cast<float>(random.below(2)));
  }
  for (std::size_t c = 0; c < 40; ++c) {
    s.owners.push_back(static_cast<int>(random.below(14)));  // the last image has none
    for (std::size_t d = 0; d < s.dim; ++d) {
      const auto image = static_cast<std::size_t>(s.owners.back());
      s.captions.push_back(random.below(3) == 0 ? static_cast<float>(random.below(2))
                                                : s.images[image * s.dim + d]);
    }
  }
  return s;
}

ScoreMatrix products(const MatrixSample& s) {
  const std::size_t images = s.image_rows().rows, captions = s.caption_rows().rows;
  ScoreMatrix scores{images, captions, {}};
  for (std::size_t i = 0; i < images; ++i) {
    for (std::size_t c = 0; c < captions; ++c) {
      float sum = 0;
      for (std::size_t d = 0; d < s.dim; ++d) {
        sum += s.images[i * s.dim + d] * s.captions[c * s.dim + d];
      }
      scores.values.push_back(sum);
    }
  }
  return scores;
}

TEST(ScoreMatrix, RecallOfProductsIsThatOfVectors) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U}) {
    const MatrixSample s = matrix_sample(seed);
    const LanguageRecall of_vectors = measure_recall(s.image_rows(), s.caption_rows(), s.owners);
    const LanguageRecall of_scores = measure_recall(products(s), s.owners);
    for (const auto direction : {&LanguageRecall::image_to_text, &LanguageRecall::text_to_image}) {
      EXPECT_DOUBLE_EQ((of_vectors.*direction).r1, (of_scores.*direction).r1);
      EXPECT_DOUBLE_EQ((of_vectors.*direction).r5, (of_scores.*direction).r5);
      EXPECT_DOUBLE_EQ((of_vectors.*direction).r10, (of_scores.*direction).r10);
    }
    EXPECT_LT(of_scores.text_to_image.r1, 100.0);
  }
}

TEST(ScoreMatrix, ATiedWrongOneAndANaNAreMisses) {
  const std::vector<int> owners = {0, 1};
  const auto recall = [&](std::vector<float> values) {
    return measure_recall(ScoreMatrix{2, 2, std::move(values)}, owners);
  };
  EXPECT_EQ(recall({2, 1, 1, 2}).text_to_image.r1, 100.0);
  EXPECT_EQ(recall({1, 1, 1, 1}).text_to_image.r1, 0.0);
  EXPECT_EQ(recall({1, 1, 1, 1}).image_to_text.r5, 100.0);  // only one wrong is ahead
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(recall({nan, 1, 1, 2}).image_to_text.r1, 50.0);
  EXPECT_EQ(recall({nan, 1, 1, 2}).text_to_image.r1, 50.0);
  EXPECT_EQ(recall({2, nan, 1, 3}).image_to_text.r1, 50.0);  // a wrong NaN stands ahead
}

TEST(ScoreMatrix, OrderIsTheSquaredViolation) {
  const MatrixSample s = matrix_sample(7);
  const ScoreMatrix scores = order_scores(s.image_rows(), s.caption_rows());
  ASSERT_EQ(scores.values.size(), 15U * 40U);
  for (std::size_t i = 0; i < scores.images; ++i) {
    for (std::size_t c = 0; c < scores.captions; ++c) {
      float violation = 0;
      for (std::size_t d = 0; d < s.dim; ++d) {
        const float above = s.captions[c * s.dim + d] - s.images[i * s.dim + d];
        violation += above > 0 ? above * above : 0;
      }
      EXPECT_EQ(scores.values[i * scores.captions + c], -violation);
    }
  }
}

TEST(ScoreMatrix, FoldsMeasureByOrderToo) {
  // The caption lies above nothing but its image; by product the other image is as good.
  const std::vector<float> images = {1, 0.5F, 0.5F, 1}, captions = {0.9F, 0.1F, 0.1F, 0.9F};
  const VectorRows i{images, 2, 2}, c{captions, 2, 2};
  const std::vector<int> owners = {0, 1};
  EXPECT_EQ(measure_recall_in_folds(i, c, owners, 1, Score::order).text_to_image.r1, 100.0);
  const std::vector<float> long_images = {1, 0.5F, 5, 5};
  const VectorRows longer{long_images, 2, 2};
  EXPECT_EQ(measure_recall_in_folds(longer, c, owners, 1).text_to_image.r1, 50.0);
}

TEST(ScoreMatrix, MoreScoresThanMemoryAreRefused) {
  const std::vector<float> none;
  EXPECT_THROW(order_scores({none, 1U << 20, 1}, {none, 1U << 20, 1}), InputError);
}

}  // namespace
}  // namespace hinny
