#include "systems/scan.h"

#include "nn/cross_attention.h"
#include "nn/layers.h"

namespace hinny {

torch::Tensor Scan::pictures(const torch::Tensor& regions) {
  return unit_rows(regions.flatten(0, 1)).view(regions.sizes());
}

torch::Tensor Scan::sentences(const torch::Tensor& words, const CaptionBatch&) {
  return unit_rows(words);
}

torch::Tensor Scan::compare(const torch::Tensor& pictures, const torch::Tensor& sentences,
                            const CaptionBatch& captions) {
  const auto* first = captions.lengths.data_ptr<std::int64_t>();
  return attention_scores(options().attention, pictures, sentences,
                          {first, first + captions.lengths.size(0)});
}

nlohmann::json Scan::describe_pooling(const std::string&) const {
  return {describe_layer("l2"), describe_layer("mean"), describe_layer("l2")};
}

nlohmann::json Scan::describe() const {
  nlohmann::json config = RegionSystem::describe();
  const CrossAttention& attention = options().attention;
  config["attention"] = {{"direction", name_of(attention.direction)},
                         {"norm", name_of(attention.norm)},
                         {"pooling", name_of(attention.pooling)},
                         {"lambda_softmax", attention.lambda_softmax},
                         {"lambda_lse", attention.lambda_lse}};
  return config;
}

}  // namespace hinny
