#include "systems/dan.h"

#include <ATen/ops/cat.h>

#include "nn/layers.h"

namespace hinny {

Dan::Dan(const SystemOptions& options, const SystemInput& input) : RegionSystem(options, input) {
  for (std::size_t hop = 0; hop < kHops; ++hop) {
    const std::string number = std::to_string(hop);
    of_regions_.push_back(register_module(
        "image_hop" + number, std::make_shared<MemoryAttention>(options.dim), {TensorPart::image}));
    of_words_.push_back(register_module("text_hop" + number,
                                        std::make_shared<MemoryAttention>(options.dim),
                                        {TensorPart::sentence}));
  }
}

torch::Tensor Dan::seen(const ItemGroups& groups, const Hops& hops) {
  torch::Tensor memory = mean_items(groups);
  std::vector<torch::Tensor> all = {memory};
  for (const auto& hop : hops) {
    all.push_back(hop->forward(groups, memory));
    memory = memory + all.back();
  }
  return unit_rows(at::cat(all, 1));
}

torch::Tensor Dan::pictures(const torch::Tensor& regions) {
  return seen(grouped(regions), of_regions_);
}

torch::Tensor Dan::sentences(const torch::Tensor& words, const CaptionBatch& captions) {
  return seen(grouped(words, captions.lengths), of_words_);
}

std::vector<LayerSpec> Dan::describe_pooling(const std::string& side) const {
  return {{LayerKind::memory, side + "_hop", kHops}, {LayerKind::l2}};
}

}  // namespace hinny
