#include "translation/ragged.h"

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

namespace hinny {
namespace {

std::vector<std::int64_t> values(const torch::Tensor& tensor) {
  return {tensor.data_ptr<std::int64_t>(), tensor.data_ptr<std::int64_t>() + tensor.numel()};
}

TEST(Ragged, PadsWithZerosAndPacksAgain) {
  const Ragged shape(positions(std::vector<std::int64_t>{2, 1, 3}));
  const torch::Tensor tokens = at::arange(1, 13, at::kFloat).view({6, 2});
  const torch::Tensor padded = shape.pad(tokens);
  EXPECT_EQ(padded.sizes(), (std::vector<std::int64_t>{3, 3, 2}));
  EXPECT_EQ(padded[1][0][1].item<float>(), 6);
  EXPECT_EQ(padded[1].slice(0, 1).abs().sum().item<float>(), 0);
  EXPECT_TRUE(shape.packed(padded).equal(tokens));
  EXPECT_EQ(values(shape.first().contiguous()), (std::vector<std::int64_t>{0, 2, 3}));
  EXPECT_EQ(values(shape.last().contiguous()), (std::vector<std::int64_t>{1, 2, 5}));
  EXPECT_EQ(shape.mask().isinf().sum().item<std::int64_t>(), 3);
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
