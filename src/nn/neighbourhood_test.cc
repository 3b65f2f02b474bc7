#include "nn/neighbourhood.h"

#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

namespace hinny {
namespace {

LossOptions all_negatives(double margin) {
  LossOptions options;
  options.margin = margin;
  options.mining = Mining::all;
  return options;
}

TEST(Neighbourhood, PullsTheFarthestCaptionOfTheSameImage) {
  // Captions 0 and 1 belong to one image and point away from each other; 2 lies on 0.
  const torch::Tensor captions = at::tensor({1.0, 0.0, 0.0, 1.0, 1.0, 0.0}).view({3, 2});
  const torch::Tensor rows = at::tensor({0, 0, 1}, at::kLong);
  // Anchor 0: 0.1 - 0 + 1 = 1.1; anchor 1: 0.1 - 0 + 0 = 0.1; caption 2 has no neighbour.
  EXPECT_NEAR(neighbourhood_loss({captions, rows}, all_negatives(0.1)).item<double>(), 0.6, 1e-6);
}

TEST(Neighbourhood, OrEachCaptionOfTheSameImage) {
  // 0, 1 and 2 belong to one image, 3 to another.
  const torch::Tensor captions = at::tensor({1.0, 0.0, 0.0, 1.0, 0.6, 0.8, 1.0, 0.0}).view({4, 2});
  LossOptions options = all_negatives(0.1);
  options.positives = Positives::all;
  // Each with 3 as the negative. 0: 0.1 - 0 + 1, 0.1 - 0.6 + 1; 1: 0.1 - 0 + 0, 0.1 - 0.8 + 0;
  // 2: 0.1 - 0.6 + 0.6, 0.1 - 0.8 + 0.6; none below 0.
  const double sum = 1.1 + 0.5 + 0.1 + 0.0 + 0.1 + 0.0;
  const torch::Tensor rows = at::tensor({0, 0, 0, 1}, at::kLong);
  EXPECT_NEAR(neighbourhood_loss({captions, rows}, options).item<double>(), sum / 6, 1e-6);
  options.reduction = Reduction::sum;
  EXPECT_NEAR(neighbourhood_loss({captions, rows}, options).item<double>(), sum, 1e-6);
  const torch::Tensor strangers = at::tensor({0, 1, 2, 3}, at::kLong);
  EXPECT_EQ(neighbourhood_loss({captions, strangers}, options).item<double>(), 0.0);
}

TEST(Neighbourhood, AnchorsWithoutACaptionInTheOtherLanguageAreLeftOut) {
  const torch::Tensor anchors = at::tensor({1.0, 0.0, 0.0, 1.0}).view({2, 2});
  const torch::Tensor others = at::tensor({0.6, 0.8, 1.0, 0.0}).view({2, 2});
  const Neighbours a{anchors, at::tensor({0, 7}, at::kLong)};
  const Neighbours b{others, at::tensor({0, 3}, at::kLong)};
  // Anchor 0: 0.1 - 0.6 + 1 = 0.5; nobody in b describes image 7.
  EXPECT_NEAR(neighbourhood_loss(a, b, all_negatives(0.1)).item<double>(), 0.5, 1e-6);
  const Neighbours strangers{others, at::tensor({4, 5}, at::kLong)};
  EXPECT_EQ(neighbourhood_loss(a, strangers, all_negatives(0.1)).item<double>(), 0.0);
}

}  // namespace
}  // namespace hinny
