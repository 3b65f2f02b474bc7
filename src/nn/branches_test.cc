// The image branch and the text tower: shapes, unit length, what their descriptions name.
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "nn/image_branch.h"
#include "nn/text_tower.h"

namespace hinny {
namespace {

CaptionBatch two_captions() {
  return {at::tensor({4, 5, 6}, at::kLong), at::tensor({0, 2}, at::kLong),
          at::tensor({2, 1}, at::kLong), at::tensor({0, 1}, at::kLong)};
}

void expect_unit_rows(const torch::Tensor& rows) {
  EXPECT_TRUE(rows.norm(2, {1}, false).allclose(at::tensor({1.0F, 1.0F})));
}

// Every prefix in a description must be a module that has a weight.
void expect_named(const torch::nn::Module& module, const nlohmann::json& layers,
                  const std::string& prefix) {
  for (const auto& layer : layers) {
    if (!layer.contains("prefix")) continue;
    const std::string name = layer["prefix"].get<std::string>().substr(prefix.size() + 1);
    EXPECT_TRUE(module.named_parameters().contains(name + ".weight")) << name;
  }
}

TEST(ImageBranch, MapsFeaturesToUnitVectors) {
  torch::manual_seed(1);  // dropout must not happen to silence every hidden unit of a row
  ImageBranch deep({6, 64, 3, true, 0.5, 0.1});
  expect_unit_rows(deep.forward(at::rand({2, 6})));
  expect_named(deep, deep.describe("image")["layers"], "image");
  ImageBranch flat({6, 0, 3, true, 0.5, 0.0});
  expect_unit_rows(flat.forward(at::rand({2, 6})));
  EXPECT_EQ(flat.parameters().size(), 2U);
}

TEST(TextTower, FrozenWordsGetNoGradientAndUnknownWordsNeverMakeNaN) {
  TextTowerOptions options;
  options.vocabulary = 8;
  options.word_dim = 5;
  options.head.encoder = {"mean", 5, 0, false};
  options.head.output = 3;
  options.finetune = false;
  TextTower tower(options);
  tower.set_words(at::zeros({8, 5}));  // zero vectors: the worst case for a unit length
  const torch::Tensor out = tower.forward(two_captions());
  EXPECT_TRUE(out.isfinite().all().item<bool>());
  out.sum().backward();
  EXPECT_FALSE(tower.named_parameters()["words"].grad().defined());
  EXPECT_TRUE(tower.named_parameters()["fc.weight"].grad().defined());
  expect_named(tower, tower.describe("text", "text")["layers"], "text");
}

}  // namespace
}  // namespace hinny
