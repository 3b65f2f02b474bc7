#include "translation/first_words.h"

#include <gtest/gtest.h>

#include <vector>

namespace hinny {
namespace {

std::vector<std::int64_t> values(const torch::Tensor& tensor) {
  return {tensor.data_ptr<std::int64_t>(), tensor.data_ptr<std::int64_t>() + tensor.numel()};
}

TEST(RepeatedAfter, PutsAnIdOfItsOwnBeforeEachCopy) {
  const CaptionBatch batch = caption_batch({{5, 6}, {7}}, at::kCPU);
  const CaptionBatch repeated = repeated_after(batch, 2, 100);
  EXPECT_EQ(values(repeated.ids),
            (std::vector<std::int64_t>{100, 5, 6, 101, 5, 6, 102, 7, 103, 7}));
  EXPECT_EQ(values(repeated.lengths), (std::vector<std::int64_t>{3, 3, 2, 2}));
  EXPECT_EQ(values(repeated.offsets), (std::vector<std::int64_t>{0, 3, 6, 8}));
}

TEST(Shifted, PutsAnIdBeforeEachSentenceAndDropsItsLast) {
  const CaptionBatch moved = shifted(caption_batch({{5, 6, 3}, {3}}, at::kCPU), 100);
  EXPECT_EQ(values(moved.ids), (std::vector<std::int64_t>{100, 5, 6, 101}));
}

}  // namespace
}  // namespace hinny
