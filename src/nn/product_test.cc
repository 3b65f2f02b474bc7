#include "nn/product.h"

#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "nn/distance_fixture.h"

namespace hinny {
namespace {

TEST(RowProducts, EqualLibtorchForwardAndBack) {
  for (const auto type : {at::kFloat, at::kDouble}) {
    torch::manual_seed(1);
    const torch::Tensor a = at::randn({70, 13}, type).requires_grad_();
    const torch::Tensor b = at::randn({9, 13}, type).requires_grad_();
    const torch::Tensor weight = at::randn({70, 9}, type);
    const torch::Tensor ours = row_products(a, b);
    EXPECT_TRUE(ours.allclose(a.matmul(b.t()), 1e-4, 1e-5));
    (ours * weight).sum().backward();
    EXPECT_TRUE(a.grad().allclose(weight.matmul(b), 1e-4, 1e-5));
    EXPECT_TRUE(b.grad().allclose(weight.t().matmul(a), 1e-4, 1e-5));
  }
}

TEST(RowProducts, InBFloat16StayNearForwardAndBack) {
  torch::manual_seed(1);
  const torch::Tensor a = at::randn({70, 130}).requires_grad_();
  const torch::Tensor b = at::randn({90, 130}).requires_grad_();
  const torch::Tensor weight = at::randn({70, 90});
  const torch::Tensor ours = row_products(a, b, Precision::bf16);
  EXPECT_EQ(ours.scalar_type(), at::kFloat);
  EXPECT_LT(relative_distance(ours, a.matmul(b.t())), 0.01);
  EXPECT_GT(relative_distance(ours, a.matmul(b.t())), 1e-5);  // it is not done in full
  (ours * weight).sum().backward();
  EXPECT_LT(relative_distance(a.grad(), weight.matmul(b)), 0.01);
  EXPECT_LT(relative_distance(b.grad(), weight.t().matmul(a)), 0.01);
}

TEST(RowProducts, TakesStridedRowsAndNone) {
  const torch::Tensor a = at::randn({5, 8}).t(), b = at::randn({3, 5});
  EXPECT_TRUE(row_products(a, b).allclose(a.matmul(b.t()), 1e-4, 1e-5));
  EXPECT_EQ(row_products(at::randn({0, 4}), at::randn({3, 4})).sizes(),
            (std::vector<std::int64_t>{0, 3}));
}

TEST(Linear, StartsGlorotUniformAndAddsItsBias) {
  torch::manual_seed(1);
  Linear linear(30, 50);
  const auto parameters = linear.named_parameters();
  const double bound = std::sqrt(6.0 / 80);
  const auto largest = parameters["weight"].abs().max().item<double>();
  EXPECT_LE(largest, bound);
  EXPECT_GT(largest, 0.95 * bound);
  EXPECT_EQ(parameters["bias"].abs().max().item<float>(), 0);
  const torch::NoGradGuard no_gradient;
  parameters["bias"].fill_(2);
  const torch::Tensor x = at::randn({4, 30});
  EXPECT_TRUE(linear.forward(x).allclose(x.matmul(parameters["weight"].t()) + 2, 1e-4, 1e-5));
}

}  // namespace
}  // namespace hinny
