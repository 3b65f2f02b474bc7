#include "nn/distinct_words.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(DistinctWords, ListsEachOnceAndFindsItAgain) {
  const DistinctWords words = distinct_words(at::tensor({7, 2, 7, 5}, at::kLong), 10);
  EXPECT_TRUE(words.ids.equal(at::tensor({2, 5, 7}, at::kLong)));
  EXPECT_EQ(words.word_of, (std::vector<std::int32_t>{2, 0, 2, 1}));
}

TEST(Renumbered, GivesTheDistinctWordsPlaces) {
  const CaptionBatch batch = caption_batch({{7, 2}, {7, 5}}, at::kCPU);
  const CaptionBatch found = renumbered(batch, distinct_words(batch.ids, 10));
  EXPECT_TRUE(found.ids.equal(at::tensor({2, 0, 2, 1}, at::kLong)));
  EXPECT_TRUE(found.lengths.equal(batch.lengths));
}

}  // namespace
}  // namespace hinny
