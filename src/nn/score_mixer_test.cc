#include "nn/score_mixer.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>
#include <torch/optim/adam.h>
#include <torch/utils.h>

namespace hinny {
namespace {

std::int64_t parameters(std::int64_t languages) {
  std::int64_t count = 0;
  for (const auto& parameter : ScoreMixer(languages).parameters()) count += parameter.numel();
  return count;
}

// Burns et al. 2020: 352 parameters for ten languages.
TEST(ScoreMixer, HasThePapersParameters) {
  EXPECT_EQ(parameters(10), 352);
  EXPECT_EQ(parameters(4), 160);
}

TEST(ScoreMixer, StartsAsTheMeanAndLearnsWhomToTrust) {
  torch::manual_seed(1);
  const torch::Tensor scores = at::rand({6, 5, 3});
  ScoreMixer mixer(3);
  EXPECT_TRUE(at::allclose(mixer.forward(scores), scores.mean(2), 1e-5, 1e-6));
  mixer.forward(scores.select(2, 0).unsqueeze(2) * at::ones({3})).sum().backward();
  for (const auto& parameter : mixer.parameters()) {
    EXPECT_GT(parameter.grad().abs().min().item<double>(), 0.0);
  }
}

TEST(ScoreMixer, ItsWeightsOrderAsItDoes) {
  torch::manual_seed(2);
  const torch::Tensor scores = at::rand({200, 3});
  ScoreMixer mixer(3);
  torch::optim::Adam optimiser(mixer.parameters(), torch::optim::AdamOptions(1e-2));
  for (int i = 0; i < 30; ++i) {
    optimiser.zero_grad();
    (mixer.forward(scores) - scores.select(1, 2)).square().mean().backward();
    optimiser.step();
  }
  const torch::Tensor weights = mixer.weights();
  EXPECT_GT(weights[2].item<double>(), 2 * weights[0].item<double>());
  EXPECT_TRUE(at::allclose(mixer.forward(scores), scores.matmul(weights), 1e-5, 1e-6));
}

}  // namespace
}  // namespace hinny
