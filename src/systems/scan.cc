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
                          {first, first + captions.lengths.size(0)}, options().precision);
}

std::vector<LayerSpec> Scan::describe_pooling(const std::string&) const {
  return {{LayerKind::l2}, {LayerKind::mean}, {LayerKind::l2}};
}

ModelConfig Scan::describe() const {
  ModelConfig config = RegionSystem::describe();
  config.attention = options().attention;
  return config;
}

}  // namespace hinny
