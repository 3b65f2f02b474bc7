// The image branch and the text tower: shapes, unit length, what their descriptions name.
#include <ATen/ops/cosine_similarity.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "base/error.h"
#include "nn/image_branch.h"
#include "nn/text_tower.h"

namespace hinny {
namespace {

CaptionBatch two_captions() {
  return {at::tensor({4, 5, 6}, at::kLong), at::tensor({0, 2}, at::kLong),
          at::tensor({2, 1}, at::kLong), at::tensor({0, 1}, at::kLong)};
}

// Eight words of five numbers, their mean, `output` numbers.
TextTowerOptions small_tower(std::int64_t output) {
  TextTowerOptions options;
  options.vocabulary = 8;
  options.word_dim = 5;
  options.head.encoder = {EncoderKind::mean, 5, 0, false};
  options.head.output = output;
  return options;
}

void expect_unit_rows(const torch::Tensor& rows) {
  EXPECT_TRUE(rows.norm(2, {1}, false).allclose(at::tensor({1.0F, 1.0F})));
}

// Every prefix in a description must be a module that has a weight.
void expect_named(const torch::nn::Module& module, const std::vector<LayerSpec>& layers,
                  const std::string& prefix) {
  for (const LayerSpec& layer : layers) {
    if (layer.prefix.empty()) continue;
    const std::string name = layer.prefix.substr(prefix.size() + 1);
    EXPECT_TRUE(module.named_parameters().contains(name + ".weight")) << name;
  }
}

TEST(ImageBranch, MapsFeaturesToUnitVectors) {
  torch::manual_seed(1);  // dropout must not happen to silence every hidden unit of a row
  ImageBranch deep({6, 64, 3, true, 0.5, 0.1});
  expect_unit_rows(deep.forward(at::rand({2, 6})));
  expect_named(deep, deep.describe("image"), "image");
  ImageBranch flat({6, 0, 3, true, 0.5, 0.0});
  expect_unit_rows(flat.forward(at::rand({2, 6})));
  EXPECT_EQ(flat.parameters().size(), 2U);
}

TEST(ImageBranch, StartsAsCoordinatesAlongDirections) {
  torch::manual_seed(1);
  const torch::Tensor features =
      at::randn({50, 6}) * at::tensor({5.0F, 1.0F, 3.0F, 1.0F, 1.0F, 2.0F});
  torch::Tensor directions = at::zeros({6, 2});
  directions[0][0] = 1;  // the first number, and the third turned round
  directions[2][1] = -1;
  const torch::Tensor coordinates = features.matmul(directions);
  ImageBranch branch({6, 4, 3, true, 0.0, 0.0});
  branch.start_along(directions, coordinates.std(0));
  torch::Tensor expected = coordinates - coordinates.mean(0);
  expected = expected / expected.norm(2, {1}, true);
  const torch::Tensor out = branch.forward(features);
  EXPECT_TRUE(out.slice(1, 0, 2).allclose(expected, 1e-3, 1e-3));
  EXPECT_TRUE(out.slice(1, 2).abs().max().item<float>() < 1e-6);

  const torch::Tensor spread = at::ones({2});
  EXPECT_THROW(ImageBranch({6, 3, 3, true, 0, 0}).start_along(directions, spread), InputError);
  EXPECT_THROW(ImageBranch({6, 0, 3, true, 0, 0}).start_along(directions, spread), InputError);
  EXPECT_THROW(ImageBranch({6, 4, 1, true, 0, 0}).start_along(directions, spread), InputError);
  EXPECT_THROW(ImageBranch({7, 4, 3, true, 0, 0}).start_along(directions, spread), InputError);
}

TEST(TextTower, StartsAsTheMeanOfItsWords) {
  TextTower tower(small_tower(7));
  const torch::Tensor words = at::rand({8, 5});
  tower.set_words(words);
  tower.start_as_identity();
  const torch::Tensor mean = words.index_select(0, at::tensor({4, 5}, at::kLong)).mean(0);
  const torch::Tensor out = tower.forward(two_captions())[0];
  EXPECT_GT(at::cosine_similarity(out.slice(0, 0, 5), mean, 0).item<float>(), 0.95);
  EXPECT_THROW(TextTower(small_tower(4)).start_as_identity(), InputError);
}

TEST(TextTower, FrozenWordsGetNoGradientAndUnknownWordsNeverMakeNaN) {
  TextTowerOptions options = small_tower(3);
  options.finetune = false;
  TextTower tower(options);
  tower.set_words(at::zeros({8, 5}));  // zero vectors: the worst case for a unit length
  const torch::Tensor out = tower.forward(two_captions());
  EXPECT_TRUE(out.isfinite().all().item<bool>());
  out.sum().backward();
  EXPECT_FALSE(tower.named_parameters()["words"].grad().defined());
  EXPECT_TRUE(tower.named_parameters()["fc.weight"].grad().defined());
  expect_named(tower, tower.describe("text", "text").layers, "text");
}

}  // namespace
}  // namespace hinny
