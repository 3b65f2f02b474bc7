#include "nn/mixing.h"

#include <ATen/ops/arange.h>
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

// Images 3, 0 and 2 have captions; of 0 the partner is 2, of 2 it is 3, of 3 it is 0.
TEST(Mix, TakesOfCaptionsAndThoseOfPartners) {
  const Mix mix{0.75, at::tensor({2, 1, 3, 0}, at::kLong)};
  const Neighbours captions{unit_rows(at::randn({3, 5})), at::tensor({3, 0, 2}, at::kLong)};
  const Neighbours mixed = mix.of_captions(captions);
  EXPECT_TRUE(mixed.rows.equal(captions.rows));
  const torch::Tensor wanted =
      unit_rows((0.75 * captions.vectors[1] + 0.25 * captions.vectors[2]).unsqueeze(0))[0];
  EXPECT_LT((mixed.vectors[1] - wanted).abs().max().item<double>(), 1e-6);
  EXPECT_LT((mixed.vectors[0].norm() - 1).abs().item<double>(), 1e-6);
}

// Of 50 images 5 have a caption in the second language, too.
TEST(Mix, PartnersHaveCaptionsInTheSameLanguages) {
  const torch::Tensor all = at::arange(50, at::kLong);
  const torch::Tensor few = at::tensor({3, 9, 20, 31, 44}, at::kLong);
  const std::vector<Neighbours> captions = {{unit_rows(at::randn({50, 4})), all},
                                            {unit_rows(at::randn({5, 4})), few}};
  for (int i = 0; i < 20; ++i) {
    const Mix mix = Mix::draw(0.3, 50, captions);
    EXPECT_TRUE(std::get<0>(mix.partner.sort()).equal(all));
    EXPECT_TRUE(std::get<0>(mix.partner.index_select(0, few).sort()).equal(few));
    EXPECT_EQ(mix.of_captions(captions[1]).rows.size(0), 5);
  }
}

TEST(Mix, KeepsTheLargerShareAndDrawsBySeed) {
  torch::manual_seed(4);
  const Mix one = Mix::draw(0.3, 50, {}), other = Mix::draw(0.3, 50, {});
  torch::manual_seed(4);
  const Mix again = Mix::draw(0.3, 50, {});
  EXPECT_EQ(one.kept, again.kept);
  EXPECT_TRUE(one.partner.equal(again.partner));
  EXPECT_NE(one.kept, other.kept);
  double sum = 0;
  for (int i = 0; i < 500; ++i) {
    const double kept = Mix::draw(0.3, 2, {}).kept;
    EXPECT_GE(kept, 0.5);
    EXPECT_LE(kept, 1);
    sum += kept;
  }
  EXPECT_NEAR(sum / 500, 0.866, 0.03);  // of max(x, 1 - x), x from Beta(0.3, 0.3)
}

}  // namespace
}  // namespace hinny
