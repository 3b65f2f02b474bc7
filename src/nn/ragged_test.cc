#include "nn/ragged.h"

#include <ATen/ops/arange.h>
#include <gtest/gtest.h>

#include "nn/caption_batch.h"

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
  EXPECT_EQ(shape.there().sum().item<std::int64_t>(), 6);
  EXPECT_EQ(shape.mask().isinf().sum().item<std::int64_t>(), 3);
}

}  // namespace
}  // namespace hinny
