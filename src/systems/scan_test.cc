#include "systems/scan.h"

#include "tests/composed_attention.h"
#include "tests/small_system.h"

namespace hinny {
namespace {

struct Setting {
  SmallSystem::Keys keys;
  CrossAttention attention;
};

// The recipe's words for attention mean what the equations say, written as composed operations.
TEST(Scan, ScoresAreTheAttentionThatTheRecipeAsksFor) {
  using enum AttentionDirection;
  using enum AttentionNorm;
  using enum AttentionPooling;
  const Setting settings[] = {
      {{}, {text_to_image, clipped_l2, log_sum_exp, 9, 6}},
      {{"attention.direction=image-to-text", "attention.norm=softmax", "attention.pooling=mean",
        "attention.lambda_softmax=4"},
       {image_to_text, softmax, mean, 4, 6}},
      {{"attention.norm=none", "attention.lambda_lse=3"}, {text_to_image, none, log_sum_exp, 9, 3}},
      {{"attention.norm=clipped"}, {text_to_image, clipped, log_sum_exp, 9, 6}},
      {{"attention.norm=l2"}, {text_to_image, l2, log_sum_exp, 9, 6}}};
  for (const Setting& setting : settings) {
    SmallSystem::Keys keys = {"system=scan", "text.encoder=gru", "text.project=false"};
    keys.insert(keys.end(), setting.keys.begin(), setting.keys.end());
    const SmallSystem small(keys, {"en", "de"}, SmallSystem::kRegions);
    const Batch::Language& entry = small.batch.languages[1];
    const auto* first = entry.captions.lengths.data_ptr<std::int64_t>();
    const torch::Tensor wanted = composed_attention_scores(
        setting.attention, small.system->encode_images(small.batch.features, entry.language),
        small.system->encode_captions(entry.captions, entry.language),
        {first, first + entry.captions.captions()});
    const torch::Tensor found =
        small.system->pair_scores(small.batch.features, entry.captions, entry.language);
    EXPECT_LT((found - wanted).abs().max().item<double>(), 1e-9) << testing::PrintToString(keys);
  }
}

}  // namespace
}  // namespace hinny
