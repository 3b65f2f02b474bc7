#include "nn/hybrid_tower.h"

#include <ATen/ops/_unique.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "text/vocabulary.h"

namespace hinny {
namespace {

constexpr std::int64_t kWords = 2000;
constexpr std::int64_t kFeatures = 20;

// Tokens chosen by that many words whose vectors have `common` in each number beside what
// distinguishes them, N(0, 1).
std::int64_t tokens_used(double common) {
  torch::manual_seed(8);
  LatentOptions latent;
  latent.tokens = 500;
  latent.features = kFeatures;
  latent.size = 8;
  TextTowerOptions own;
  own.vocabulary = kFirstWord;
  own.word_dim = 4;
  own.space = 8;
  own.head.encoder.input = own.head.output = 8;
  torch::nn::Module root("root");
  HybridTower tower(own, kWords + kFirstWord, kFeatures, std::make_shared<LatentVocabulary>(latent),
                    std::make_shared<SentenceHead>(root, own.head));
  tower.set_words(at::randn({kWords + kFirstWord, kFeatures}) + common);
  return std::get<0>(at::_unique(tower.choose())).size(0);
}

// fastText's vectors of a language share most of their length; by that part alone every word would
// choose the same few tokens.
TEST(HybridTower, WhatAllWordsShareChoosesNoToken) {
  const std::int64_t apart = tokens_used(0);
  EXPECT_GT(apart, 300);
  EXPECT_GT(tokens_used(5), apart * 9 / 10);
}

}  // namespace
}  // namespace hinny
