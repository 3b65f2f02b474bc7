#include "nn/hybrid_tower.h"

#include <ATen/ops/_unique.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "text/vocabulary.h"

namespace hinny {
namespace {

constexpr std::int64_t kFeatures = 20;

// Tokens, of 500, chosen by words of these vectors [words, kFeatures].
std::int64_t tokens_used(const torch::Tensor& vectors) {
  LatentOptions latent;
  latent.tokens = 500;
  latent.features = kFeatures;
  latent.size = 8;
  TextTowerOptions own;
  own.vocabulary = kFirstWord;
  own.word_dim = 4;
  own.space = 8;
  own.head.encoder.input = own.head.output = 8;
  ModuleWithRoles root("root");
  HybridTower tower(own, vectors.size(0) + kFirstWord, kFeatures,
                    std::make_shared<LatentVocabulary>(latent),
                    std::make_shared<SentenceHead>(root, own.head));
  tower.set_words(at::cat({at::randn({kFirstWord, kFeatures}), vectors}));
  return std::get<0>(at::_unique(tower.choose())).size(0);
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

}  // namespace
}  // namespace hinny
