#include "nn/attention_pool.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

namespace hinny {
namespace {

const torch::Tensor kLengths = at::tensor({3, 1, 2}, at::kLong);

torch::Tensor layer(const torch::nn::Module& module, const std::string& name,
                    const torch::Tensor& x) {
  const auto parameters = module.named_parameters();
  return x.matmul(parameters[name + ".weight"].t()) + parameters[name + ".bias"];
}

TEST(AttentionPool, GroupsArePaddedAndAveraged) {
  const torch::Tensor items = at::rand({6, 4});
  const ItemGroups groups = grouped(items, kLengths);
  EXPECT_EQ(groups.items.sizes(), (std::vector<std::int64_t>{3, 3, 4}));
  EXPECT_TRUE(at::allclose(mean_items(groups)[0], items.slice(0, 0, 3).mean(0)));
  EXPECT_TRUE(at::allclose(mean_items(groups)[1], items[3]));
  EXPECT_TRUE(at::allclose(mean_items(groups)[2], items.slice(0, 4).mean(0)));
}

// Group by group, without padding.
TEST(AttentionPool, EqualsEquationSevenOfEachGroup) {
  torch::manual_seed(2);
  ContextAttention attention(4);
  const torch::Tensor items = at::rand({6, 4}) - 0.5;
  const torch::Tensor pooled = attention.forward(grouped(items, kLengths));
  const torch::Tensor context =
      layer(attention, "of_context", attention.named_parameters()["context"]).tanh();
  std::int64_t begin = 0;
  for (std::int64_t group = 0; group < 3; ++group) {
    const torch::Tensor own = items.slice(0, begin, begin + kLengths[group].item<std::int64_t>());
    const torch::Tensor scores = layer(attention, "of_items", own).tanh().matmul(context.t()) / 2;
    EXPECT_TRUE(at::allclose(pooled[group], (at::softmax(scores, 0) * own).sum(0), 1e-5, 1e-6));
    begin += own.size(0);
  }
}

// One item that takes all hides the others from the gradient.
TEST(AttentionPool, StartsBySeeingEveryItem) {
  torch::manual_seed(4);
  for (const std::int64_t dim : {64, 1024}) {
    ContextAttention attention(dim);
    const torch::Tensor items = at::randn({32, 16, dim}) * 3;
    // The mean of 16 has a sixteenth of an item's variance, one item alone all of it.
    const auto spread = [&] {
      return (attention.forward(grouped(items)).var() / items.var()).item<double>();
    };
    EXPECT_LT(spread(), 1.5 / 16) << dim;
    attention.named_buffers()["scale"].fill_(1);
    EXPECT_GT(spread(), 8.0 / 16) << dim;  // without the division
  }
}

class Hop : public testing::TestWithParam<bool> {};

TEST_P(Hop, AttendsByItsMemory) {
  torch::manual_seed(3);
  MemoryAttention attention(4, GetParam());
  const torch::Tensor items = at::rand({6, 4}) - 0.5, memory = at::rand({3, 4}) - 0.5;
  const torch::Tensor pooled = attention.forward(grouped(items, kLengths), memory);
  std::int64_t begin = 0;
  for (std::int64_t group = 0; group < 3; ++group) {
    const torch::Tensor own = items.slice(0, begin, begin + kLengths[group].item<std::int64_t>());
    const torch::Tensor hidden = layer(attention, "of_items", own).tanh() *
                                 layer(attention, "of_memory", memory[group]).tanh();
    torch::Tensor seen = (at::softmax(layer(attention, "score", hidden), 0) * own).sum(0);
    if (GetParam()) seen = layer(attention, "seen", seen).tanh();
    EXPECT_TRUE(at::allclose(pooled[group], seen, 1e-5, 1e-6));
    begin += own.size(0);
  }
}

INSTANTIATE_TEST_SUITE_P(Layers, Hop, testing::Bool(),
                         [](const auto& info) { return info.param ? "visual" : "plain"; });

TEST(AttentionPool, EveryParameterGetsAGradient) {
  ContextAttention san(4);
  MemoryAttention dan(4, true);
  const ItemGroups groups = grouped(at::rand({6, 4}), kLengths);
  (san.forward(groups).square().sum() + dan.forward(groups, at::rand({3, 4})).square().sum())
      .backward();
  for (const auto* module :
       {static_cast<torch::nn::Module*>(&san), static_cast<torch::nn::Module*>(&dan)}) {
    for (const auto& item : module->named_parameters()) {
      if (item.key() == "score.bias") continue;  // a softmax does not see it
      EXPECT_GT(item.value().grad().abs().sum().item<double>(), 0) << item.key();
    }
  }
}

}  // namespace
}  // namespace hinny
