#include "translation/translation_net.h"

#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <gtest/gtest.h>
#include <torch/utils.h>

#include "base/threads.h"
#include "text/vocabulary.h"

namespace hinny {
namespace {

TranslationNet small_net(std::int64_t region_size = 0, double smoothing = 0.0,
                         std::int64_t decoder_layers = 1) {
  torch::manual_seed(2);
  NetOptions options;
  options.vocabulary = 12;
  options.embedding = 5;
  options.hidden = 6;
  options.region_size = region_size;
  options.smoothing = smoothing;
  options.decoder_layers = decoder_layers;
  TranslationNet net(options);
  net.to(at::kDouble);
  return net;
}

const std::vector<std::vector<std::int32_t>> kSources = {{9, 4, 5, 6, 3}, {9, 7, 3}};
const std::vector<std::vector<std::int32_t>> kTargets = {{8, 3}, {10, 11, 4, 3}};

// Training runs over all words at once, search goes word by word: both must be one net.
TEST(TranslationNet, WordByWordGivesTheLossOfTheWhole) {
  for (const auto& [region_size, layers] : {std::pair{0, 1}, {4, 1}, {0, 2}, {4, 2}}) {
    TranslationNet net = small_net(region_size, 0.0, layers);
    const torch::NoGradGuard no_gradient;
    const torch::Tensor regions =
        region_size > 0 ? at::randn({2, 3, region_size}, at::kDouble) : torch::Tensor();
    const CaptionBatch sources = caption_batch(kSources, at::kCPU);
    const auto loss = net.loss(sources, regions, caption_batch(kTargets, at::kCPU)).item<double>();
    const SourceStates source = net.encode(sources, regions);
    double sum = 0;
    int words = 0;
    for (std::int64_t s = 0; s < 2; ++s) {
      const SourceStates own = source.rows(positions(std::vector<std::int64_t>{s}));
      DecoderState state = net.start(own);
      for (const std::int32_t word : kTargets[static_cast<std::size_t>(s)]) {
        sum -= net.predict(state)[0][word].item<double>();
        ++words;
        state = net.advance(own, state, positions(std::vector<std::int32_t>{0}),
                            positions(std::vector<std::int32_t>{word}));
      }
    }
    EXPECT_NEAR(loss, sum / words, 1e-9) << region_size << ", " << layers;
  }
}

TEST(TranslationNet, PaddingDoesNotMatter) {
  TranslationNet net = small_net();
  const torch::NoGradGuard no_gradient;
  const auto both =
      net.loss(caption_batch(kSources, at::kCPU), {}, caption_batch(kTargets, at::kCPU))
          .item<double>();
  const auto alone = [&](std::size_t i) {
    return net
        .loss(caption_batch({kSources[i]}, at::kCPU), {}, caption_batch({kTargets[i]}, at::kCPU))
        .item<double>();
  };
  EXPECT_NEAR(both, (alone(0) * 2 + alone(1) * 4) / 6, 1e-9);
}

TEST(TranslationNet, LooksAtTheRegions) {
  TranslationNet net = small_net(4);
  const torch::NoGradGuard no_gradient;
  const CaptionBatch sources = caption_batch(kSources, at::kCPU);
  const CaptionBatch targets = caption_batch(kTargets, at::kCPU);
  const torch::Tensor regions = at::randn({2, 3, 4}, at::kDouble);
  const auto seen = net.loss(sources, regions, targets).item<double>();
  EXPECT_NE(seen, net.loss(sources, -regions, targets).item<double>());
  // The order of regions says nothing.
  EXPECT_NEAR(seen, net.loss(sources, regions.flip(1), targets).item<double>(), 1e-9);
}

TEST(TranslationNet, NumericJacobianInDouble) {
  set_thread_count(1);
  TranslationNet net = small_net(4, 0.1, 2);
  const CaptionBatch sources = caption_batch(kSources, at::kCPU);
  const CaptionBatch targets = caption_batch(kTargets, at::kCPU);
  const torch::Tensor regions = at::randn({2, 3, 4}, at::kDouble);
  net.loss(sources, regions, targets).backward();
  const torch::NoGradGuard no_gradient;
  for (const auto& named : net.named_parameters()) {
    torch::Tensor parameter = named.value();
    auto* numbers = parameter.data_ptr<double>();
    for (std::int64_t i = 0; i < parameter.numel(); i += 7) {
      constexpr double kStep = 1e-5;
      const double kept = numbers[i];
      numbers[i] = kept + kStep;
      const auto above = net.loss(sources, regions, targets).item<double>();
      numbers[i] = kept - kStep;
      const auto below = net.loss(sources, regions, targets).item<double>();
      numbers[i] = kept;
      EXPECT_NEAR(parameter.grad().data_ptr<double>()[i], (above - below) / (2 * kStep), 1e-6)
          << named.key() << " " << i;
    }
  }
}

TEST(TranslationNet, SmoothingSpreadsProbability) {
  TranslationNet plain = small_net(), smoothed = small_net(0, 0.5);
  const torch::NoGradGuard no_gradient;
  const CaptionBatch sources = caption_batch({kSources[1]}, at::kCPU);
  const CaptionBatch targets = caption_batch({{kEnd}}, at::kCPU);
  const SourceStates source = plain.encode(sources, {});
  const torch::Tensor p = plain.predict(plain.start(source))[0];
  EXPECT_NEAR(smoothed.loss(sources, {}, targets).item<double>(),
              -0.5 * p[kEnd].item<double>() - 0.5 * p.mean().item<double>(), 1e-9);
}

}  // namespace
}  // namespace hinny
