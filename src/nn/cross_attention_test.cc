#include "nn/cross_attention.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <numeric>
#include <utility>

#include "base/threads.h"
#include "kernels/cross_attention_kinds.h"
#include "nn/batched_attention.h"
#include "nn/distance_fixture.h"
#include "tests/composed_attention.h"

namespace hinny {
namespace {

struct AttentionCase {
  torch::Tensor images, words;
  std::vector<std::int64_t> lengths;
};

AttentionCase attention_case(at::IntArrayRef images, std::vector<std::int64_t> lengths,
                             at::ScalarType type = at::kFloat) {
  torch::manual_seed(2);
  const std::int64_t tokens = std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0});
  const auto random = [&](at::IntArrayRef shape) {
    return (at::randn(shape, type) * 0.4).requires_grad_();
  };
  return {random(images), random({tokens, images[2]}), std::move(lengths)};
}

// Gradients of a weighted sum of the scores, some weights 0 as losses of hardest negatives leave.
std::pair<torch::Tensor, torch::Tensor> gradients(AttentionCase& c, const torch::Tensor& scores) {
  c.images.mutable_grad() = torch::Tensor();
  c.words.mutable_grad() = torch::Tensor();
  torch::manual_seed(3);
  const torch::Tensor weights = at::rand(scores.sizes(), scores.options()) - 0.5;
  (scores * weights * (weights > -0.2)).sum().backward();
  return {c.images.grad().clone(), c.words.grad().clone()};
}

torch::Tensor by_kernels(const CrossAttention& attention, const torch::Tensor& images,
                         const torch::Tensor& words, const std::vector<std::int64_t>& lengths) {
  return attention_scores(attention, images, words, lengths);
}

class AttentionScoresOf : public testing::TestWithParam<CrossAttention> {
 protected:
  void SetUp() override { set_thread_count(2); }
};

TEST_P(AttentionScoresOf, EqualComposedOperationsForwardAndBack) {
  AttentionCase c = attention_case({21, 5, 33}, {1, 7, 13, 2, 30, 1});
  const torch::Tensor theirs = composed_attention_scores(GetParam(), c.images, c.words, c.lengths);
  const auto [expected_images, expected_words] = gradients(c, theirs);
  for (const auto& score : {by_kernels, batched_attention_scores}) {
    const torch::Tensor ours = score(GetParam(), c.images, c.words, c.lengths);
    EXPECT_LT((ours - theirs).abs().max().item<double>(), 1e-5);
    const auto [images, words] = gradients(c, ours);
    EXPECT_LT(relative_distance(images, expected_images), 1e-4);
    EXPECT_LT(relative_distance(words, expected_words), 1e-4);
  }
}

// Rounding to eight bits moves a product of unit vectors by some thousandths at most. Without
// gradients nothing is rounded: what is measured is what others compute from the model's file.
TEST_P(AttentionScoresOf, InBFloat16DifferLittleAndOnlyWhileLearning) {
  AttentionCase c = attention_case({21, 5, 64}, {1, 7, 13, 2, 30, 1});
  const auto unit = [](torch::Tensor& rows) {
    rows = (rows / rows.norm(2, -1, true)).detach().requires_grad_();
  };
  unit(c.images), unit(c.words);
  const auto score = [&](Precision precision) {
    return attention_scores(GetParam(), c.images, c.words, c.lengths, precision);
  };
  const torch::Tensor whole = score(Precision::fp32), rounded = score(Precision::bf16);
  const auto [whole_images, whole_words] = gradients(c, whole);
  const auto [rounded_images, rounded_words] = gradients(c, rounded);
  EXPECT_FALSE(rounded.equal(whole));
  EXPECT_LT((rounded - whole).abs().max().item<double>(), 0.01);
  for (const auto& [ours, theirs] :
       {std::pair{rounded_images, whole_images}, std::pair{rounded_words, whole_words}}) {
    EXPECT_FALSE(ours.equal(theirs));
    EXPECT_LT(relative_distance(ours, theirs), 0.05);
  }
  const torch::NoGradGuard measuring;
  EXPECT_TRUE(score(Precision::bf16).equal(whole));
}

// Each caption beside a longer one, so that it is padded.
TEST_P(AttentionScoresOf, BatchedInDoubleToTheLastDigits) {
  AttentionCase c = attention_case({4, 5, 7}, {1, 7, 3, 2}, at::kDouble);
  const torch::Tensor theirs = composed_attention_scores(GetParam(), c.images, c.words, c.lengths);
  const auto [expected_images, expected_words] = gradients(c, theirs);
  const torch::Tensor ours = batched_attention_scores(GetParam(), c.images, c.words, c.lengths);
  EXPECT_LT(relative_distance(ours, theirs), 1e-7);  // the paper's code adds 1e-8 to lengths
  const auto [images, words] = gradients(c, ours);
  EXPECT_LT(relative_distance(images, expected_images), 1e-7);
  EXPECT_LT(relative_distance(words, expected_words), 1e-7);
}

TEST_P(AttentionScoresOf, NumericJacobianInDouble) {
  AttentionCase c = attention_case({2, 3, 4}, {1, 3}, at::kDouble);
  const auto [images, words] =
      gradients(c, attention_scores(GetParam(), c.images, c.words, c.lengths));
  torch::manual_seed(3);
  const torch::Tensor random = at::rand({2, 2}, at::kDouble) - 0.5;
  const torch::Tensor weights = random * (random > -0.2);
  const torch::NoGradGuard no_gradient;
  const auto value = [&] {
    return (attention_scores(GetParam(), c.images, c.words, c.lengths) * weights)
        .sum()
        .item<double>();
  };
  const auto check = [&](const torch::Tensor& input, const torch::Tensor& gradient) {
    auto* numbers = input.data_ptr<double>();
    for (std::int64_t i = 0; i < input.numel(); ++i) {
      constexpr double kStep = 1e-6;
      const double kept = numbers[i];
      numbers[i] = kept + kStep;
      const double above = value();
      numbers[i] = kept - kStep;
      const double below = value();
      numbers[i] = kept;
      ASSERT_NEAR(gradient.flatten()[i].item<double>(), (above - below) / (2 * kStep), 1e-7) << i;
    }
  };
  check(c.images, images);
  check(c.words, words);
}

INSTANTIATE_TEST_SUITE_P(Kinds, AttentionScoresOf, testing::ValuesIn(every_kind(9, 6)), kind_name);

TEST(AttentionScores, NoImagesOrNoCaptionsAreNoScores) {
  for (auto [c, shape] :
       {std::pair{attention_case({0, 3, 4}, {2, 1}), std::vector<std::int64_t>{0, 2}},
        std::pair{attention_case({2, 3, 4}, {}), std::vector<std::int64_t>{2, 0}}}) {
    for (const auto& score : {by_kernels, batched_attention_scores}) {
      const torch::Tensor scores = score({}, c.images, c.words, c.lengths);
      EXPECT_EQ(scores.sizes(), shape);
      if (scores.requires_grad()) scores.sum().backward();
    }
  }
}

TEST(AttentionScores, CaptionsWithoutWordsScoreZero) {
  AttentionCase c = attention_case({3, 4, 5}, {0, 2, 0});
  const torch::Tensor wanted = composed_attention_scores({}, c.images, c.words, c.lengths);
  for (const auto& score : {by_kernels, batched_attention_scores}) {
    const torch::Tensor scores = score({}, c.images, c.words, c.lengths);
    EXPECT_EQ(scores.select(1, 0).abs().sum().item<float>(), 0);
    EXPECT_GT(scores.select(1, 1).abs().sum().item<float>(), 0);
    EXPECT_LT((scores - wanted).abs().max().item<float>(), 1e-5F);
    const auto [images, words] = gradients(c, scores);
    EXPECT_TRUE(images.isfinite().all().item<bool>());
    EXPECT_TRUE(words.isfinite().all().item<bool>());
  }
}

// Regions and words of zeros have no direction; their gradients are finite all the same.
TEST(AttentionScores, BatchedWithZeros) {
  for (const CrossAttention& attention : every_kind(9, 6)) {
    AttentionCase c = attention_case({2, 3, 4}, {2, 1});
    {
      const torch::NoGradGuard no_gradient;
      c.images[0].zero_();
      c.words[2].zero_();
    }
    const auto [images, words] =
        gradients(c, batched_attention_scores(attention, c.images, c.words, c.lengths));
    EXPECT_TRUE(images.isfinite().all().item<bool>());
    EXPECT_TRUE(words.isfinite().all().item<bool>());
  }
}

// Slices and transposes come in, and a gradient that is spread from one number.
TEST(AttentionScores, AnyLayout) {
  const AttentionCase c = attention_case({6, 4, 5}, {3, 2});
  const torch::Tensor images = c.images.transpose(0, 1).contiguous().transpose(0, 1);
  const torch::Tensor words = c.words.transpose(0, 1).contiguous().transpose(0, 1);
  const torch::Tensor scores = attention_scores({}, images, words, c.lengths);
  EXPECT_TRUE(scores.equal(attention_scores({}, c.images, c.words, c.lengths)));
  scores.sum().backward();
  EXPECT_GT(c.images.grad().abs().sum().item<float>(), 0);
}

TEST(AttentionScores, SameBitsEachTime) {
  AttentionCase c = attention_case({40, 6, 16}, std::vector<std::int64_t>(30, 9));
  const auto once = gradients(c, attention_scores({}, c.images, c.words, c.lengths));
  const auto again = gradients(c, attention_scores({}, c.images, c.words, c.lengths));
  EXPECT_TRUE(once.first.equal(again.first));
  EXPECT_TRUE(once.second.equal(again.second));
}

}  // namespace
}  // namespace hinny
