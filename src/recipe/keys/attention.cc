#include "recipe/section.h"

namespace hinny {

void add_attention_keys(std::vector<RecipeKey>& keys) {
  const Section<AttentionSettings> attention(
      keys, "attention", [](Recipe& r) -> AttentionSettings& { return r.model.attention; });
  attention.add("direction", &CrossAttention::direction,
                {.acts_in = {SystemKind::scan},
                 .meaning = "text-to-image, each word over the regions, or image-to-text",
                 .source = "Lee et al. 2018, section 3.1"});
  attention.add("norm", &CrossAttention::norm,
                {.acts_in = {SystemKind::scan},
                 .meaning = "of products before the softmax",
                 .source = "clipped-l2: Lee et al. 2018; the others: its code"});
  attention.add("pooling", &CrossAttention::pooling,
                {.acts_in = {SystemKind::scan},
                 .meaning = "of a pair's scores: lse (log of the sum of exponentials) or mean",
                 .source = "Lee et al. 2018, section 3.1"});
  attention.add(
      "lambda_softmax", &CrossAttention::lambda_softmax,
      {.acts_in = {SystemKind::scan}, .meaning = "sharpness of the attention", .range = {0, 1e4}});
  attention.add("lambda_lse", &CrossAttention::lambda_lse,
                {.acts_in = Systems{SystemKind::scan} | kLate,
                 .meaning = "sharpness of lse; late: of a word's choice of region",
                 .range = {1e-4, 1e4},
                 .when = is("attention.pooling", {"lse"}) || is("system", {"late"})});
  attention.add(
      "visual_layer", &AttentionSettings::visual_layer,
      {.acts_in = {SystemKind::dan},
       .meaning = "a layer and tanh over the first memory of regions and what each hop saw",
       .source = "Nam et al. 2017, Eq. 4"});
}

}  // namespace hinny
