#include "training/loop/weight_average.h"

#include <ATen/ops/rand.h>
#include <gtest/gtest.h>
#include <torch/nn/module.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hinny {
namespace {

struct ToyModule : torch::nn::Module {
  ToyModule() { frozen.set_requires_grad(false); }
  torch::Tensor matrix = register_parameter("matrix", at::rand({3, 4}));
  torch::Tensor frozen = register_parameter("frozen", at::rand({2}));

  void set(double value) {
    const torch::NoGradGuard no_gradient;
    matrix.fill_(value);
    frozen.fill_(value);
  }
};

constexpr double kDecay = 0.99;

// The average after `batches` batches in which the weights were the number of the batch.
double average_by_hand(double start, int batches) {
  double average = start;
  for (int batch = 10; batch <= batches; batch += 10) {
    const double kept = std::min(std::pow(kDecay, 10), (batch / 10.0) / (batch / 10.0 + 9.0));
    average = kept * average + (1 - kept) * batch;
  }
  return average;
}

void train(ToyModule& toy, WeightAverage& average, int batches) {
  for (int batch = 1; batch <= batches; ++batch) {
    toy.set(batch);
    average.update(batch);
  }
}

TEST(WeightAverage, IsTheFormula) {
  ToyModule toy;
  toy.set(-7);
  WeightAverage average(toy, kDecay);
  train(toy, average, 1234);
  {
    const AveragedWeights averaged(average);
    EXPECT_NEAR(toy.matrix[1][2].item<double>(), average_by_hand(-7, 1234), 1e-2);
    EXPECT_EQ(toy.frozen[0].item<double>(), 1234);  // as it stands
  }
  EXPECT_EQ(toy.matrix[1][2].item<double>(), 1234);
}

TEST(WeightAverage, StartsAnewWhereItIsReset) {
  ToyModule toy;
  WeightAverage average(toy, kDecay);
  train(toy, average, 500);
  toy.set(3);
  average.reset();
  toy.set(4);
  const AveragedWeights averaged(average);
  EXPECT_EQ(toy.matrix[0][0].item<double>(), 3);
}

TEST(WeightAverage, GoesOnFromItsState) {
  ToyModule toy, other;
  WeightAverage average(toy, kDecay), resumed(other, kDecay);
  train(toy, average, 70);
  resumed.load(average.state());
  const AveragedWeights first(average), second(resumed);
  EXPECT_TRUE(toy.matrix.equal(other.matrix));
}

TEST(WeightAverage, RefusesAnotherModelsState) {
  ToyModule toy;
  WeightAverage average(toy, kDecay);
  NamedTensors state = average.state();
  EXPECT_EQ(state.size(), 1);
  state.at("average.matrix") = at::rand({4, 3});
  EXPECT_THROW(average.load(state), InputError);
  EXPECT_THROW(average.load({}), InputError);
}

TEST(WeightAverage, NoneIsNothing) {
  ToyModule toy;
  WeightAverage none(toy, 0);
  train(toy, none, 20);
  EXPECT_TRUE(none.state().empty());
  const AveragedWeights averaged(none);
  EXPECT_EQ(toy.matrix[0][0].item<double>(), 20);
}

}  // namespace
}  // namespace hinny
