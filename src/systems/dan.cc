#include "systems/dan.h"

#include <ATen/ops/cat.h>

#include "nn/layers.h"

namespace hinny {

Dan::Dan(const SystemOptions& options, const SystemInput& input) : RegionSystem(options, input) {
  const bool layer = options.attention.visual_layer;
  if (layer) {
    first_ = register_module("image_hop_first", std::make_shared<Linear>(options.dim, options.dim),
                             {TensorPart::image});
  }
  for (std::size_t hop = 0; hop < kHops; ++hop) {
    const std::string number = std::to_string(hop);
    of_regions_.push_back(register_module("image_hop" + number,
                                          std::make_shared<MemoryAttention>(options.dim, layer),
                                          {TensorPart::image}));
    of_words_.push_back(register_module("text_hop" + number,
                                        std::make_shared<MemoryAttention>(options.dim),
                                        {TensorPart::sentence}));
  }
}

torch::Tensor Dan::seen(const ItemGroups& groups, torch::Tensor memory, const Hops& hops) {
  std::vector<torch::Tensor> all = {memory};
  for (const auto& hop : hops) {
    all.push_back(hop->forward(groups, memory));
    memory = memory + all.back();
  }
  return unit_rows(at::cat(all, 1));
}

torch::Tensor Dan::pictures(const torch::Tensor& regions) {
  const ItemGroups groups = grouped(regions);
  const torch::Tensor mean = mean_items(groups);
  return seen(groups, first_ ? first_->forward(mean).tanh() : mean, of_regions_);
}

torch::Tensor Dan::sentences(const torch::Tensor& words, const CaptionBatch& captions) {
  const ItemGroups groups = grouped(words, captions.lengths);
  return seen(groups, mean_items(groups), of_words_);
}

std::vector<LayerSpec> Dan::describe_pooling(const std::string& side) const {
  const bool layer = side == "image" && options().attention.visual_layer;
  return {{LayerKind::memory, side + "_hop", kHops, layer}, {LayerKind::l2}};
}

}  // namespace hinny
