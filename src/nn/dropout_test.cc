#include "nn/dropout.h"

#include <ATen/ops/ones.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

namespace hinny {
namespace {

TEST(Dropped, GradientsHaveTheMaskOfTheNumbers) {
  for (const auto type : {at::kFloat, at::kDouble}) {
    torch::manual_seed(1);
    torch::Tensor x = at::ones({50, 40}, type).set_requires_grad(true);
    const torch::Tensor y = dropped(x, 0.25, all_rows(50));
    y.sum().backward();
    EXPECT_TRUE(y.equal(x.grad()));
    EXPECT_NEAR((y == 0).to(at::kDouble).mean().item<double>(), 0.25, 0.05);
  }
}

TEST(Dropped, EachTimeAnotherMaskButTheSeedsSame) {
  const auto draw = [] { return dropped(at::ones({50, 40}), 0.5, all_rows(50)); };
  torch::manual_seed(1);
  const torch::Tensor first = draw();
  EXPECT_FALSE(draw().equal(first));
  torch::manual_seed(1);
  EXPECT_TRUE(draw().equal(first));
}

TEST(Dropped, AShardHasTheRowsOfTheWhole) {
  torch::manual_seed(1);
  const torch::Tensor all = dropped(at::ones({50, 7}), 0.5, all_rows(50));
  torch::manual_seed(1);
  const Shard part{20, 13, 50};
  EXPECT_TRUE(dropped(at::ones({13, 7}), 0.5, part).equal(all.narrow(0, 20, 13)));
}

TEST(Dropped, NothingIsDroppedFromNothing) {
  EXPECT_EQ(dropped(at::ones({0, 7}), 0.5, all_rows(0)).size(0), 0);
  const torch::Tensor x = at::ones({2, 2});
  EXPECT_TRUE(dropped(x, 0, all_rows(2)).is_same(x));
}

}  // namespace
}  // namespace hinny
