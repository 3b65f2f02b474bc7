#include "nn/mixing.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "nn/layers.h"

namespace hinny {
namespace {

const Mix kMix{0.75, at::tensor({2, 0, 3, 1}, at::kLong)};

TEST(Mix, TakesOfImagesAndTheirPartners) {
  const torch::Tensor rows = at::randn({4, 3});
  const torch::Tensor mixed = kMix.of_images(rows);
  EXPECT_LT((mixed[0] - (0.75 * rows[0] + 0.25 * rows[2])).abs().max().item<double>(), 1e-6);
  EXPECT_LT((mixed[3] - (0.75 * rows[3] + 0.25 * rows[1])).abs().max().item<double>(), 1e-6);
}

// Images 0, 2 and 3 have captions; of 0 the partner is 2, of 2 it is 3, of 3 it is 1, without one.
TEST(Mix, LeavesCaptionsOutWhosePartnerHasNone) {
  const Neighbours captions{unit_rows(at::randn({3, 5})), at::tensor({3, 0, 2}, at::kLong)};
  const Neighbours mixed = kMix.of_captions(captions);
  EXPECT_TRUE(mixed.rows.equal(at::tensor({0, 2}, at::kLong)));
  const torch::Tensor wanted =
      unit_rows((0.75 * captions.vectors[1] + 0.25 * captions.vectors[2]).unsqueeze(0))[0];
  EXPECT_LT((mixed.vectors[0] - wanted).abs().max().item<double>(), 1e-6);
  EXPECT_LT((mixed.vectors[1].norm() - 1).abs().item<double>(), 1e-6);
  const Neighbours alone{captions.vectors.slice(0, 0, 1), at::tensor({std::int64_t{3}}, at::kLong)};
  EXPECT_TRUE(kMix.of_captions(alone).vectors.equal(alone.vectors));
}

TEST(Mix, KeepsTheLargerShareAndDrawsBySeed) {
  torch::manual_seed(4);
  const Mix one = Mix::draw(0.3, 50), other = Mix::draw(0.3, 50);
  torch::manual_seed(4);
  const Mix again = Mix::draw(0.3, 50);
  EXPECT_EQ(one.kept, again.kept);
  EXPECT_TRUE(one.partner.equal(again.partner));
  EXPECT_NE(one.kept, other.kept);
  double sum = 0;
  for (int i = 0; i < 500; ++i) {
    const double kept = Mix::draw(0.3, 2).kept;
    EXPECT_GE(kept, 0.5);
    EXPECT_LE(kept, 1);
    sum += kept;
  }
  EXPECT_NEAR(sum / 500, 0.866, 0.03);  // of max(x, 1 - x), x from Beta(0.3, 0.3)
}

}  // namespace
}  // namespace hinny
