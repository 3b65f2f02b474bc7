#include "nn/hybrid_tower.h"

#include <ATen/ops/_unique.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "nn/layers.h"
#include "text/vocabulary.h"

namespace hinny {
namespace {

constexpr std::int64_t kFeatures = 20;

// Of 500 tokens and own words of four numbers, after set_words of these vectors of words
// [words, kFeatures], of which the first are `own_words`.
std::shared_ptr<HybridTower> tower_of(const torch::Tensor& vectors, std::int64_t own_words = 0,
                                      bool whiten = false) {
  LatentOptions latent;
  latent.tokens = 500;
  latent.features = kFeatures;
  latent.size = 8;
  TextTowerOptions own;
  own.vocabulary = kFirstWord + own_words;
  own.whiten = whiten;
  own.word_dim = 4;
  own.space = 8;
  own.head.encoder.input = own.head.output = 8;
  ModuleWithRoles root("root");
  auto tower = std::make_shared<HybridTower>(own, vectors.size(0) + kFirstWord, kFeatures,
                                             std::make_shared<LatentVocabulary>(latent),
                                             std::make_shared<SentenceHead>(root, own.head));
  tower->set_words(at::cat({at::randn({kFirstWord, kFeatures}), vectors}));
  return tower;
}

// Tokens that words choose.
std::int64_t tokens_used(const torch::Tensor& vectors) {
  return std::get<0>(at::_unique(tower_of(vectors)->choose())).size(0);
}

// fastText's vectors of a language share most of their length and differ in few directions; by
// that alone every word would choose the same few tokens.
TEST(HybridTower, WhatAllWordsShareChoosesNoToken) {
  torch::manual_seed(8);
  const torch::Tensor vectors = at::randn({2000, kFeatures});
  const std::int64_t apart = tokens_used(vectors);
  EXPECT_GT(apart, 300);
  EXPECT_GT(tokens_used(vectors + 5), apart * 9 / 10);
  torch::Tensor flat = vectors.clone();
  flat.slice(1, 0, 2).mul_(20);
  EXPECT_GT(tokens_used(flat), apart * 9 / 10);
}

TEST(HybridTower, FewerWordsThanNumbersAreToldApart) {
  torch::manual_seed(9);
  EXPECT_EQ(tokens_used(at::randn({7, kFeatures}) + 5), 7);
}

// Words that differ in four directions, in two of them most, and a little in all others.
torch::Tensor words_of_four_directions() {
  torch::Tensor vectors = 0.01 * at::randn({500, kFeatures});
  vectors.slice(1, 0, 2) += 3 * at::randn({500, 2});
  vectors.slice(1, 2, 4) += at::randn({500, 2});
  return vectors + 5;
}

TEST(HybridTower, OwnWordsKeepWhatDiffersMostAndAreWhitenedThen) {
  torch::manual_seed(10);
  const torch::Tensor vectors = words_of_four_directions();
  const torch::Tensor plain = tower_of(vectors, 500)->word_vectors().slice(0, kFirstWord);
  EXPECT_GT((plain.std(0)[0] / plain.std(0)[3]).item<float>(), 2);
  const torch::Tensor white = tower_of(vectors, 500, true)->word_vectors().slice(0, kFirstWord);
  const torch::Tensor products = white.t().matmul(white) / 500;
  EXPECT_TRUE(products.allclose(at::eye(4) / 4, 0, 0.01)) << products;
  // The four directions follow from the four numbers: little else differs.
  const torch::Tensor centred = unit_rows(vectors) - unit_rows(vectors).mean(0);
  const torch::Tensor again = white.matmul(white.t().matmul(centred)) / 125;
  EXPECT_LT(((again - centred).norm() / centred.norm()).item<float>(), 0.2);
}

}  // namespace
}  // namespace hinny
