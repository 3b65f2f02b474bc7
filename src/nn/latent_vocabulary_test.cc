#include "nn/latent_vocabulary.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "nn/layers.h"

namespace hinny {
namespace {

LatentOptions small(double explore) {
  LatentOptions options;
  options.tokens = 12;
  options.features = 5;
  options.size = 3;
  options.explore = explore;
  options.among = 4;
  return options;
}

TEST(LatentVocabulary, AWordIsItsBestTokenAndSometimesOneOfTheNext) {
  torch::manual_seed(3);
  LatentVocabulary latent(small(0));
  const torch::Tensor features = unit_rows(at::rand({50, 5}) - 0.5);
  const torch::Tensor scorer = unit_rows(latent.named_parameters()["scorer"].detach());
  const torch::Tensor best = features.matmul(scorer.t()).argmax(1);
  EXPECT_TRUE(at::equal(latent.best(features), best));
  EXPECT_TRUE(at::allclose(latent.explored(features), latent.vectors(best)));

  LatentVocabulary wandering(small(0.5));
  const torch::Tensor many = features.slice(0, 0, 1).repeat({4000, 1});
  const torch::Tensor found = wandering.explored(many);
  const torch::Tensor at_best = wandering.vectors(wandering.best(many));
  const double same = ((found - at_best).abs().sum(1) < 1e-6).sum().item<double>() / 4000;
  EXPECT_NEAR(same, 0.5 + 0.5 / 4, 0.03);  // one of the four is the best itself
}

// What a row's length says is nothing about the words: a token that has learnt more wins no more.
TEST(LatentVocabulary, ALongRowWinsNoMoreWords) {
  torch::manual_seed(6);
  LatentVocabulary latent(small(0));
  const torch::Tensor features = unit_rows(at::rand({50, 5}) - 0.5);
  const torch::Tensor before = latent.best(features);
  {
    const torch::NoGradGuard no_gradient;
    latent.named_parameters()["scorer"].select(0, 3).mul_(100);
  }
  EXPECT_TRUE(at::equal(latent.best(features), before));
}

// The value is the hard choice's, the gradient of the scorer that of the soft mixture.
TEST(LatentVocabulary, TheChoiceLearnsStraightThrough) {
  torch::manual_seed(4);
  LatentVocabulary latent(small(0));
  latent.to(at::kDouble);
  const torch::Tensor features = unit_rows(at::rand({6, 5}, at::kDouble) - 0.5);
  const torch::Tensor wanted = at::rand({6, 3}, at::kDouble);
  (latent.explored(features) * wanted).sum().backward();
  const torch::Tensor vectors = latent.named_parameters()["vectors"];
  const torch::Tensor scorer = latent.named_parameters()["scorer"].detach().clone();
  torch::Tensor free = scorer.clone().set_requires_grad(true);
  const torch::Tensor scores = 10 * features.matmul(unit_rows(free).t());
  const torch::Tensor among = std::get<1>(scores.detach().topk(4, 1));
  const torch::Tensor soft = at::softmax(scores.gather(1, among), 1);
  const torch::Tensor mixed =
      soft.unsqueeze(1).bmm(vectors.detach().index_select(0, among.flatten()).view({6, 4, 3}));
  (mixed.squeeze(1) * wanted).sum().backward();
  EXPECT_TRUE(at::allclose(latent.named_parameters()["scorer"].grad(), free.grad(), 1e-6, 1e-9));
  // Only the chosen token's vector gets a gradient.
  const torch::Tensor used = latent.best(features);
  torch::Tensor left = vectors.grad().clone();
  left.index_fill_(0, used, 0);
  EXPECT_EQ(left.abs().sum().item<double>(), 0.0);
}

TEST(LatentVocabulary, SettledItKeepsTheUsedTokensAndGoesOnLearning) {
  torch::manual_seed(5);
  LatentVocabulary latent(small(0));
  const torch::Tensor before = latent.vectors(at::tensor({2, 7}, at::kLong)).detach().clone();
  latent.explored(at::rand({4, 5})).sum().backward();
  latent.settle(at::tensor({2, 7}, at::kLong));
  EXPECT_TRUE(latent.settled());
  const torch::Tensor after = latent.vectors(at::tensor({0, 1}, at::kLong));
  EXPECT_TRUE(at::allclose(after, before));
  after.sum().backward();
  EXPECT_EQ(latent.named_parameters()["vectors"].grad().size(0), 2);
}

}  // namespace
}  // namespace hinny
