#include "nn/module_with_roles.h"

#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/nn/modules/batchnorm.h>

#include "nn/product.h"

namespace hinny {
namespace {

struct Inner : ModuleWithRoles {
  Inner() {
    register_parameter("own", at::zeros({2}), {TensorPart::words}, /*requires_grad=*/false);
    register_buffer("kept", at::zeros({2}), {TensorPart::words, /*for_training_only=*/true});
    register_parameter("other", at::zeros({2}));
  }
};

TEST(ModuleWithRoles, AChildSpeaksForItselfAndItsParentForTheRest) {
  ModuleWithRoles root("root");
  root.register_module("inner", std::make_shared<Inner>(), {TensorPart::image});
  root.register_module("norm", torch::nn::BatchNorm1d(3), {TensorPart::sentence});
  root.register_module("silent", std::make_shared<Linear>(2, 2));
  root.register_parameter("bare", at::zeros({1}));
  const std::map<std::string, TensorRole> roles = roles_of(root);
  EXPECT_EQ(roles.at("inner.own"), TensorRole{TensorPart::words});
  EXPECT_EQ(roles.at("inner.kept"), (TensorRole{TensorPart::words, true}));
  EXPECT_EQ(roles.at("inner.other"), TensorRole{TensorPart::image});
  for (const char* name : {"weight", "bias", "running_mean", "running_var"}) {
    EXPECT_EQ(roles.at(std::string("norm.") + name), TensorRole{TensorPart::sentence});
  }
  EXPECT_EQ(roles.count("silent.weight"), 0U);
  EXPECT_EQ(roles.count("bare"), 0U);
  EXPECT_FALSE(root.named_parameters()["inner.own"].requires_grad());
}

TEST(TensorRole, QueriesNeedTheTextAlone) {
  EXPECT_TRUE(of_query({TensorPart::spelling}));
  EXPECT_TRUE(of_query({TensorPart::latent}));
  EXPECT_FALSE(of_query({TensorPart::latent, true}));
  EXPECT_FALSE(of_query({TensorPart::image}));
  EXPECT_FALSE(of_query(kLossRole));
}

}  // namespace
}  // namespace hinny
