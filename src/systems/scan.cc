#include "systems/scan.h"

#include "base/error.h"
#include "nn/cross_attention.h"
#include "nn/layers.h"

namespace hinny {
namespace {

template <typename Value>
Value named(const std::string& key, const std::string& name,
            std::initializer_list<std::pair<const char*, Value>> known) {
  std::string list;
  for (const auto& [candidate, value] : known) {
    if (name == candidate) return value;
    list += (list.empty() ? "" : ", ") + std::string(candidate);
  }
  throw InputError("no attention." + key + " '" + name + "'", list);
}

}  // namespace

Scan::Scan(const SystemOptions& options, const SystemInput& input)
    : RegionSystem(options, input), settings_(options.attention) {
  const AttentionSettings& settings = settings_;
  attention_.direction =
      named<AttentionDirection>("direction", settings.direction,
                                {{"text-to-image", AttentionDirection::text_to_image},
                                 {"image-to-text", AttentionDirection::image_to_text}});
  attention_.norm = named<AttentionNorm>("norm", settings.norm,
                                         {{"none", AttentionNorm::none},
                                          {"clipped", AttentionNorm::clipped},
                                          {"l2", AttentionNorm::l2},
                                          {"clipped-l2", AttentionNorm::clipped_l2},
                                          {"softmax", AttentionNorm::softmax}});
  attention_.pooling = named<AttentionPooling>(
      "pooling", settings.pooling,
      {{"lse", AttentionPooling::log_sum_exp}, {"mean", AttentionPooling::mean}});
  attention_.lambda_softmax = settings.lambda_softmax;
  attention_.lambda_lse = settings.lambda_lse;
}

torch::Tensor Scan::pictures(const torch::Tensor& regions) {
  return unit_rows(regions.flatten(0, 1)).view(regions.sizes());
}

torch::Tensor Scan::sentences(const torch::Tensor& words, const CaptionBatch&) {
  return unit_rows(words);
}

torch::Tensor Scan::compare(const torch::Tensor& pictures, const torch::Tensor& sentences,
                            const CaptionBatch& captions) {
  const auto* first = captions.lengths.data_ptr<std::int64_t>();
  return attention_scores(attention_, pictures, sentences,
                          {first, first + captions.lengths.size(0)});
}

nlohmann::json Scan::describe_pooling(const std::string&) const {
  return {describe_layer("l2"), describe_layer("mean"), describe_layer("l2")};
}

nlohmann::json Scan::describe() const {
  nlohmann::json config = RegionSystem::describe();
  config["attention"] = {{"direction", settings_.direction},
                         {"norm", settings_.norm},
                         {"pooling", settings_.pooling},
                         {"lambda_softmax", settings_.lambda_softmax},
                         {"lambda_lse", settings_.lambda_lse}};
  return config;
}

}  // namespace hinny
