#include "nn/harder_negatives.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cmath>

#include "nn/triplet.h"

namespace hinny {
namespace {

LossOptions summed() {
  LossOptions options;
  options.margin = 0.2;
  options.mining = Mining::max;
  options.reduction = Reduction::sum;
  return options;
}

std::vector<LanguageScores> two_languages() {
  torch::manual_seed(4);
  return {{at::randn({5, 3}, at::kDouble) * 0.3, at::tensor({0, 0, 1, 2, 2}, at::kLong), 0.7},
          {at::randn({3, 3}, at::kDouble) * 0.3, at::tensor({2, 1, 0}, at::kLong), 0.3}};
}

// Eq. 9 and 10, a number at a time.
double by_hand(const std::vector<LanguageScores>& languages, double margin) {
  double sum = 0;
  const auto score = [](const LanguageScores& language, std::int64_t caption, std::int64_t image) {
    return language.scores[caption][image].item<double>();
  };
  for (const LanguageScores& language : languages) {
    for (std::int64_t t = 0; t < language.rows.size(0); ++t) {
      const auto v = language.rows[t].item<std::int64_t>();
      double caption = 0;
      for (const LanguageScores& other : languages) {
        double hardest = -1e9;
        for (std::int64_t d = 0; d < other.rows.size(0); ++d) {
          if (other.rows[d].item<std::int64_t>() == v) continue;
          hardest = std::max(hardest, score(other, d, v));
        }
        caption += other.weight * hardest;
      }
      double image = -1e9;
      for (std::int64_t q = 0; q < 3; ++q) {
        if (q != v) image = std::max(image, score(language, t, q));
      }
      sum += std::max(0.0, margin - score(language, t, v) + caption) +
             std::max(0.0, margin - score(language, t, v) + image);
    }
  }
  return sum;
}

TEST(HarderNegatives, AreThePapersEquations) {
  const auto languages = two_languages();
  LossOptions options = summed();
  EXPECT_NEAR(harder_negatives(languages, options).item<double>(), by_hand(languages, 0.2), 1e-9);
  options.reduction = Reduction::mean;
  EXPECT_NEAR(harder_negatives(languages, options).item<double>(), by_hand(languages, 0.2) / 8,
              1e-9);
}

TEST(HarderNegatives, OfOneLanguageAreTheMaxOfHinges) {
  auto languages = two_languages();
  languages.pop_back();
  languages[0].weight = 1;
  EXPECT_NEAR(harder_negatives(languages, summed()).item<double>(),
              triplet_loss(languages[0].scores, languages[0].rows, summed()).item<double>(), 1e-9);
}

TEST(HarderNegatives, NumericJacobianInDouble) {
  auto languages = two_languages();
  for (LanguageScores& language : languages) language.scores.requires_grad_();
  harder_negatives(languages, summed()).backward();
  const torch::NoGradGuard no_gradient;
  for (LanguageScores& language : languages) {
    auto* numbers = language.scores.data_ptr<double>();
    for (std::int64_t i = 0; i < language.scores.numel(); ++i) {
      constexpr double kStep = 1e-6;
      const double kept = numbers[i];
      numbers[i] = kept + kStep;
      const auto above = harder_negatives(languages, summed()).item<double>();
      numbers[i] = kept - kStep;
      const auto below = harder_negatives(languages, summed()).item<double>();
      numbers[i] = kept;
      EXPECT_NEAR(language.scores.grad().data_ptr<double>()[i], (above - below) / (2 * kStep),
                  1e-6);
    }
  }
}

// Every caption of the second language belongs to the one image.
TEST(HarderNegatives, AnImageWithoutANegativeHasNoHingeAndNoNan) {
  std::vector<LanguageScores> languages = {
      {at::randn({2, 2}, at::kDouble).requires_grad_(), at::tensor({0, 1}, at::kLong), 0.5},
      {at::randn({1, 2}, at::kDouble).requires_grad_(), at::tensor({0}, at::kLong), 0.5}};
  const torch::Tensor loss = harder_negatives(languages, summed());
  EXPECT_TRUE(std::isfinite(loss.item<double>()));
  loss.backward();
  EXPECT_TRUE(languages[0].scores.grad().isfinite().all().item<bool>());
  EXPECT_TRUE(languages[1].scores.grad().isfinite().all().item<bool>());
}

}  // namespace
}  // namespace hinny
