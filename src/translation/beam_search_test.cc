#include "translation/beam_search.h"

#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include <algorithm>
#include <cmath>

#include "text/vocabulary.h"

namespace hinny {
namespace {

constexpr std::int64_t kWords = 7;

// Weights large enough that the net has opinions.
std::unique_ptr<TranslationNet> opinionated(std::uint64_t seed) {
  torch::manual_seed(seed);
  NetOptions options;
  options.vocabulary = kWords;
  options.embedding = 8;
  options.hidden = 8;
  auto net = std::make_unique<TranslationNet>(options);
  const torch::NoGradGuard no_gradient;
  for (torch::Tensor& parameter : net->parameters()) {
    parameter.copy_(at::randn(parameter.sizes()) * 0.9);
  }
  net->eval();
  return net;
}

// Of one sentence: the log-probability of a translation, by the net.
double log_probability(TranslationNet& net, const SourceStates& source,
                       const std::vector<std::int32_t>& ids) {
  DecoderState state = net.start(source);
  double sum = 0;
  for (const std::int32_t id : ids) {
    sum += net.predict(state)[0][id].item<double>();
    state = net.advance(source, state, positions(std::vector<std::int32_t>{0}),
                        positions(std::vector<std::int32_t>{id}));
  }
  return sum;
}

TEST(BeamSearch, OfWidthOneTakesTheBestWordEachTime) {
  const auto net = opinionated(1);
  const torch::NoGradGuard no_gradient;
  const CaptionBatch sources = caption_batch({{4, 5, 3}, {6, 3}, {4, 4, 4, 3}}, at::kCPU);
  const SourceStates source = net->encode(sources, {});
  SearchOptions options;
  options.beam = 1;
  const auto found = beam_search(*net, source, options);
  ASSERT_EQ(found.size(), 3);
  for (std::int64_t s = 0; s < 3; ++s) {
    const SourceStates own = source.rows(positions(std::vector<std::int64_t>{s}));
    DecoderState state = net->start(own);
    for (const std::int32_t id : found[static_cast<std::size_t>(s)].front().ids) {
      const auto best = net->predict(state).argmax();
      ASSERT_EQ(id, best.item<std::int64_t>());
      state = net->advance(own, state, positions(std::vector<std::int32_t>{0}),
                           positions(std::vector<std::int32_t>{id}));
    }
  }
}

// With room for every beginning nothing is lost: the best of all short translations is found.
TEST(BeamSearch, WideEnoughFindsTheBest) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    const auto net = opinionated(seed);
    const torch::NoGradGuard no_gradient;
    const SourceStates source = net->encode(caption_batch({{5, 6, 3}}, at::kCPU), {});
    SearchOptions options;
    options.beam = 400;
    options.best = 400;
    options.length_power = 1.0;
    options.never = {kPad, kUnknown, kStart};
    const auto found = beam_search(*net, source, options).front();
    double best = -1e9;
    for (std::int32_t a = kEnd + 1; a < kWords; ++a) {  // none is empty
      for (std::int32_t b = 3; b < kWords; ++b) {
        for (std::int32_t c = 3; c < kWords; ++c) {
          std::vector<std::int32_t> ids = {a, b, c, kEnd};
          ids.erase(std::find(ids.begin(), ids.end(), kEnd) + 1, ids.end());
          best =
              std::max(best, log_probability(*net, source, ids) / static_cast<double>(ids.size()));
        }
      }
    }
    EXPECT_GE(found.front().score, best - 1e-4) << seed;
    EXPECT_NEAR(found.front().score,
                log_probability(*net, source, found.front().ids) /
                    static_cast<double>(found.front().ids.size()),
                1e-4);
    for (std::size_t i = 1; i < found.size(); ++i) {
      EXPECT_GE(found[i - 1].score, found[i].score);
      EXPECT_NE(found[i - 1].ids, found[i].ids);
    }
    for (const Hypothesis& hypothesis : found) {
      for (const std::int32_t id : hypothesis.ids) EXPECT_GE(id, kEnd);
    }
  }
}

// What stands beside a sentence in a batch, and how long that takes, is nothing to it.
TEST(BeamSearch, SentencesDoNotMeet) {
  const auto net = opinionated(3);
  const torch::NoGradGuard no_gradient;
  const std::vector<std::vector<std::int32_t>> sources = {{4, 5, 6, 4, 3}, {6, 3}, {5, 5, 5, 3}};
  SearchOptions options;
  options.beam = 3;
  options.best = 2;
  const auto together =
      beam_search(*net, net->encode(caption_batch(sources, at::kCPU), {}), options);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const auto alone =
        beam_search(*net, net->encode(caption_batch({sources[i]}, at::kCPU), {}), options).front();
    // The batch's longest source bounds a translation's length, so long ones may differ.
    if (alone.front().ids.back() != kEnd) continue;
    EXPECT_EQ(together[i].front().ids, alone.front().ids) << i;
    EXPECT_NEAR(together[i].front().score, alone.front().score, 1e-4);
    EXPECT_EQ(together[i].front().attended.size(), together[i].front().ids.size());
  }
}

TEST(BeamSearch, EndsWhenTheNetDoesNot) {
  const auto net = opinionated(1);
  const torch::NoGradGuard no_gradient;
  SearchOptions options;
  options.beam = 2;
  options.never = {kEnd};
  const auto found =
      beam_search(*net, net->encode(caption_batch({{4, 3}}, at::kCPU), {}), options).front();
  EXPECT_EQ(found.front().ids.size(), 14);  // twice the source and ten
}

}  // namespace
}  // namespace hinny
