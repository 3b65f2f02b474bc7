#include "systems/late.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/rand.h>
#include <c10/core/GradMode.h>

#include "nn/late_interaction.h"
#include "systems/region_checks.h"

namespace hinny {
namespace {

constexpr std::int64_t kImagesAtOnce = 64;  // that words are compared with

SystemInput of_one_region(const SystemOptions& options, SystemInput input) {
  check_region_data(options, input);
  input.feature_dim /= input.regions;
  return input;
}

// 0 for the share of the words that are left out, of each caption never all.
torch::Tensor word_dropout_mask(const CaptionBatch& captions, double share,
                                const torch::Tensor& words) {
  torch::Tensor kept = at::rand({words.size(0), 1}, words.options()) >= share;
  kept.index_fill_(0, captions.offsets, true);
  return kept;
}

}  // namespace

Late::Late(const SystemOptions& options, const SystemInput& input)
    : TwoBranch(options, of_one_region(options, input)), regions_(input.regions) {}

torch::Tensor Late::encode_images(const torch::Tensor& features, SystemLanguage language) {
  const torch::Tensor rows =
      features.reshape({features.size(0) * regions_, features.size(1) / regions_});
  return TwoBranch::encode_images(rows, language).view({features.size(0), regions_, options_.dim});
}

torch::Tensor Late::encode_captions(const CaptionBatch& captions, SystemLanguage language) {
  const CaptionWords words = tower(language).words(captions);
  return words.table.index_select(0, words.captions.ids);
}

torch::Tensor Late::compare(const torch::Tensor& images, const torch::Tensor& words,
                            const CaptionBatch& captions) {
  const auto scores = [&](const torch::Tensor& some) {
    return late_scores(words, captions.lengths, some, options_.attention.lambda_lse,
                       options_.precision)
        .t();
  };
  if (c10::GradMode::is_enabled()) return scores(images);
  std::vector<torch::Tensor> blocks;  // so that memory stays small
  for (const torch::Tensor& some : images.split(kImagesAtOnce)) blocks.push_back(scores(some));
  return at::cat(blocks);
}

std::vector<LossTerm> Late::losses(const Batch& batch) {
  const std::vector<torch::Tensor> images = encode_batch_images(batch);
  std::vector<LossTerm> terms;
  for (std::size_t i = 0; i < batch.languages.size(); ++i) {
    const auto& [language, captions] = batch.languages[i];
    torch::Tensor words = encode_captions(captions, language);
    if (is_training() && options_.text.dropout > 0) {
      words = words * word_dropout_mask(captions, options_.text.dropout, words);
    }
    const torch::Tensor seen = used_in_shards(images[i]);
    const torch::Tensor scores = in_shards(captions.captions(), [&](const Shard& shard) {
      return compare(seen, items_of(captions.lengths, shard).of(words), shard_of(captions, shard))
          .t();
    });
    terms.push_back(ranking_loss(scores, captions.rows, language, share_of_captions(batch, i)));
  }
  return terms;
}

void Late::start_along(const torch::Tensor& directions, const torch::Tensor& spread) {
  start_images_along(directions, spread);
}

ModelConfig Late::describe() const {
  ModelConfig config = TwoBranch::describe();
  config.late = LateInteraction{options_.attention.lambda_lse};
  for (auto& [language, spec] : config.text) {
    spec.encoder.every_word = true;
    spec.layers = {{LayerKind::mean}, {LayerKind::l2}};
  }
  for (auto& [space, layers] : config.image) {
    layers.push_back({LayerKind::mean});
    layers.push_back({LayerKind::l2});
  }
  return config;
}

}  // namespace hinny
