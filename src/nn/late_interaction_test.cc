#include "nn/late_interaction.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <cmath>

#include "base/threads.h"
#include "nn/layers.h"

namespace hinny {
namespace {

constexpr double kSharpness = 7;

struct LateCase {
  torch::Tensor words, lengths, regions;
};

LateCase late_case(at::ScalarType type) {
  torch::manual_seed(2);
  return {at::randn({7, 5}, type).requires_grad_(), at::tensor({3, 1, 2, 1}, at::kLong),
          at::randn({6, 4, 5}, type).requires_grad_()};
}

torch::Tensor scores(const LateCase& c) {
  return late_scores(c.words, c.lengths, unit_rows(c.regions.flatten(0, 1)).view({6, 4, 5}),
                     kSharpness);
}

// The header's formula, number by number.
double by_hand(const LateCase& c, std::int64_t first, std::int64_t length, std::int64_t image) {
  double sum = 0, squares = 0;
  for (std::int64_t word = first; word < first + length; ++word) {
    double mean = 0;
    const double size = c.words[word].norm().item<double>();
    for (std::int64_t region = 0; region < 4; ++region) {
      const torch::Tensor r = c.regions[image][region];
      const double cosine = c.words[word].dot(r).item<double>() / size / r.norm().item<double>();
      mean += std::exp(kSharpness * cosine) / 4;
    }
    sum += size * std::log(mean) / kSharpness;
    squares += size * size;
  }
  return sum / std::sqrt(squares);
}

TEST(LateScores, AreTheFormula) {
  for (const auto type : {at::kDouble, at::kFloat}) {
    const LateCase c = late_case(type);
    const torch::Tensor found = scores(c);
    ASSERT_EQ(found.sizes(), (std::vector<std::int64_t>{4, 6}));
    std::int64_t first = 0;
    for (std::int64_t caption = 0; caption < 4; ++caption) {
      const auto length = c.lengths[caption].item<std::int64_t>();
      for (std::int64_t image = 0; image < 6; ++image) {
        EXPECT_NEAR(found[caption][image].item<double>(), by_hand(c, first, length, image),
                    type == at::kDouble ? 1e-12 : 1e-5);
      }
      first += length;
    }
  }
}

// Against differences, word by word and region by region.
TEST(LateScores, GradientsAreThoseOfTheFormula) {
  set_thread_count(2);
  LateCase c = late_case(at::kDouble);
  const torch::Tensor weights = at::rand({4, 6}, at::kDouble) - 0.5;
  (scores(c) * weights).sum().backward();
  const auto value = [&] { return (scores(c) * weights).sum().item<double>(); };
  constexpr double kStep = 1e-5;
  for (const torch::Tensor& input : {c.words, c.regions}) {
    const torch::Tensor gradient = input.grad().flatten();
    const torch::NoGradGuard no_gradient;
    torch::Tensor numbers = input.detach().flatten();  // a view
    for (std::int64_t i = 0; i < numbers.size(0); ++i) {
      const double before = numbers[i].item<double>();
      numbers[i] = before + kStep;
      const double more = value();
      numbers[i] = before - kStep;
      const double less = value();
      numbers[i] = before;
      EXPECT_NEAR(gradient[i].item<double>(), (more - less) / (2 * kStep), 1e-7);
    }
  }
}

TEST(LateScores, AWordThatIsNothingCountsNothing) {
  LateCase c = late_case(at::kDouble);
  torch::Tensor words = c.words.detach().clone();
  words[1].zero_();
  const torch::Tensor regions = unit_rows(c.regions.detach().flatten(0, 1)).view({6, 4, 5});
  const torch::Tensor with = late_scores(words, c.lengths, regions, kSharpness);
  const torch::Tensor without =
      late_scores(words.index_select(0, at::tensor({0, 2}, at::kLong)),
                  at::tensor({std::int64_t{2}}, at::kLong), regions, kSharpness);
  EXPECT_LT((with[0] - without[0]).abs().max().item<double>(), 1e-9);
}

}  // namespace
}  // namespace hinny
