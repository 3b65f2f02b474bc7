#include "systems/san.h"

#include "nn/layers.h"

namespace hinny {

San::San(const SystemOptions& options, const SystemInput& input) : RegionSystem(options, input) {
  of_regions_ = register_module("image_attention", std::make_shared<ContextAttention>(options.dim),
                                {TensorPart::image});
  of_words_ = register_module("text_attention", std::make_shared<ContextAttention>(options.dim),
                              {TensorPart::sentence});
}

torch::Tensor San::pictures(const torch::Tensor& regions) {
  return unit_rows(of_regions_->forward(grouped(regions)));
}

torch::Tensor San::sentences(const torch::Tensor& words, const CaptionBatch& captions) {
  return unit_rows(of_words_->forward(grouped(words, captions.lengths)));
}

std::vector<LayerSpec> San::describe_pooling(const std::string& side) const {
  return {{LayerKind::context, side + "_attention"}, {LayerKind::l2}};
}

}  // namespace hinny
