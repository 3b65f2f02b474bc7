#include "training/loop/adam.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <torch/optim/adam.h>
#include <torch/optim/adamw.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>

namespace hinny {
namespace {

// A system with one matrix, a vector, and word vectors that the groups treat apart.
struct ToySystem : RetrievalSystem {
  torch::Tensor matrix = register_parameter("matrix", at::rand({3, 4}));
  torch::Tensor bias = register_parameter("bias", at::rand({4}));
  torch::Tensor words = register_parameter("words", at::rand({5, 2}), {TensorPart::words});
  torch::Tensor encode_images(const torch::Tensor& x, SystemLanguage) override { return x; }
  torch::Tensor encode_captions(const CaptionBatch& x, SystemLanguage) override { return x.ids; }
  std::vector<LossTerm> losses(const Batch&) override { return {}; }
  ModelConfig describe() const override { return {}; }
  std::string reader_of(SystemLanguage) const override { return {}; }
  void set_words(SystemLanguage, const torch::Tensor&) override {}
  void set_stage(Stage, const Done&) override {}
  std::string loss_in(Stage) const override { return {}; }
  std::vector<ParameterGroup> parameter_groups() const override {
    return {{{TensorPart::words}, 2.0, 0.0}, ParameterGroup{}};
  }
  torch::Tensor loss() { return matrix.matmul(bias).square().sum() + words.pow(4).sum(); }
};

// The same three tensors under libtorch's optimiser.
template <typename Optimiser, typename Options>
void expect_equal_to_libtorch(bool decoupled) {
  torch::manual_seed(3);
  ToySystem ours, theirs;
  {
    const torch::NoGradGuard no_gradient;
    theirs.matrix.copy_(ours.matrix);
    theirs.bias.copy_(ours.bias);
    theirs.words.copy_(ours.words);
  }
  Adam adam(ours, ours.parameter_groups(), {0.9, 0.999, 1e-8, 0.1, decoupled});
  std::vector<torch::optim::OptimizerParamGroup> groups;
  const auto group = [&](torch::Tensor& parameter, double rate, double decay) {
    groups.emplace_back(std::vector<torch::Tensor>{parameter},
                        std::make_unique<Options>(Options(rate).weight_decay(decay)));
  };
  group(theirs.matrix, 0.01, 0.1);
  group(theirs.bias, 0.01, 0.0);
  group(theirs.words, 0.02, 0.0);
  Optimiser reference(groups, Options(0.01));
  for (int step = 0; step < 5; ++step) {
    adam.zero_gradients();
    ours.loss().backward();
    adam.step(0.01);
    reference.zero_grad();
    theirs.loss().backward();
    reference.step();
  }
  EXPECT_TRUE(ours.matrix.allclose(theirs.matrix, 1e-5, 1e-6));
  EXPECT_TRUE(ours.bias.allclose(theirs.bias, 1e-5, 1e-6));
  EXPECT_TRUE(ours.words.allclose(theirs.words, 1e-5, 1e-6));
}

TEST(Adam, EqualsLibtorchsAdam) {
  expect_equal_to_libtorch<torch::optim::Adam, torch::optim::AdamOptions>(false);
}

TEST(Adam, EqualsLibtorchsAdamW) {
  expect_equal_to_libtorch<torch::optim::AdamW, torch::optim::AdamWOptions>(true);
}

TEST(Adam, ClipsTheJointNorm) {
  for (const double most : {0.5, 1e6}) {  // the second is more than the norm: nothing is clipped
    torch::manual_seed(3);
    ToySystem clipped, scaled;
    {
      const torch::NoGradGuard no_gradient;
      scaled.matrix.copy_(clipped.matrix), scaled.bias.copy_(clipped.bias);
      scaled.words.copy_(clipped.words);
    }
    const AdamOptions options{0.9, 0.999, 1.0, 0.0, true};  // a large epsilon: size counts
    Adam ours(clipped, clipped.parameter_groups(), options);
    Adam theirs(scaled, scaled.parameter_groups(), options);
    clipped.loss().backward(), scaled.loss().backward();
    double square = 0;
    for (const auto& parameter : scaled.parameters()) {
      square += parameter.grad().square().sum().item<double>();
    }
    ASSERT_GT(std::sqrt(square), 0.5);
    const double factor = std::min(1.0, most / std::sqrt(square));
    for (auto& parameter : scaled.parameters()) parameter.mutable_grad().mul_(factor);
    ours.step(0.1, most);
    theirs.step(0.1);
    EXPECT_TRUE(clipped.matrix.allclose(scaled.matrix, 1e-6, 1e-7)) << most;
    EXPECT_TRUE(clipped.words.allclose(scaled.words, 1e-6, 1e-7)) << most;
  }
}

TEST(Adam, GoesOnFromItsState) {
  torch::manual_seed(5);
  ToySystem one, two;
  {
    const torch::NoGradGuard no_gradient;
    two.matrix.copy_(one.matrix), two.bias.copy_(one.bias), two.words.copy_(one.words);
  }
  Adam unbroken(one, one.parameter_groups(), {}), first(two, two.parameter_groups(), {});
  const auto step = [](ToySystem& toy, Adam& adam) {
    adam.zero_gradients();
    toy.loss().backward();
    adam.step(0.1);
  };
  step(one, unbroken), step(one, unbroken);
  step(two, first);
  Adam resumed(two, two.parameter_groups(), {});
  resumed.load(first.state(), first.steps());
  step(two, resumed);
  EXPECT_TRUE(one.matrix.equal(two.matrix));
  EXPECT_TRUE(one.words.equal(two.words));
}

}  // namespace
}  // namespace hinny
