#include "nn/masking.h"

#include <ATen/ops/allclose.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/tensor.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

namespace hinny {
namespace {

TEST(Masking, ReplacesTheShareOfWordsByOneVector) {
  torch::manual_seed(1);
  const CrossLanguageMasking masking(4, 6);
  CaptionWords words{at::rand({9, 4}), {}};
  words.captions.ids = at::arange(9000).remainder(9);
  const CaptionWords masked = masking.mask(words, 0.2);
  EXPECT_EQ(masked.table.size(0), 10);
  EXPECT_TRUE(at::allclose(masked.table.slice(0, 0, 9), words.table));
  const torch::Tensor hidden = masked.captions.ids == 9;
  EXPECT_NEAR(hidden.sum().item<double>() / 9000, 0.2, 0.02);
  EXPECT_TRUE(at::equal(masked.captions.ids.masked_select(~hidden),
                        words.captions.ids.masked_select(~hidden)));
  EXPECT_TRUE(at::equal(masking.mask(words, 0).captions.ids, words.captions.ids));
}

TEST(Masking, OnlyImagesWithBothLanguagesCount) {
  CrossLanguageMasking masking(4, 4);
  const auto sentences = [](const torch::Tensor& rows) {
    return MaskedSentences{at::rand({rows.size(0), 4}), at::rand({rows.size(0), 4}), rows};
  };
  torch::manual_seed(2);
  const MaskedSentences a = sentences(at::tensor({0, 0, 2}, at::kLong));
  const MaskedSentences b = sentences(at::tensor({1, 2, 2}, at::kLong));
  const auto pick = [](const MaskedSentences& s, std::int64_t i) {
    return MaskedSentences{s.whole.slice(0, i, i + 1), s.masked.slice(0, i, i + 1),
                           s.rows.slice(0, i, i + 1)};
  };
  EXPECT_TRUE(at::allclose(masking.final(a, b), masking.final(pick(a, 2), pick(b, 1))));
  EXPECT_EQ(masking.averaged(pick(a, 0), b).item<float>(), 0.0F);
}

}  // namespace
}  // namespace hinny
