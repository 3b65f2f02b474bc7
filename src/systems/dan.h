// DAN, dual attention networks (Nam et al. 2017, m-DAN, as in Huang et al. 2020).
#pragma once

#include "nn/attention_pool.h"
#include "systems/region_system.h"

namespace hinny {

// Two hops: memories start as the mean of the regions and of the words; each hop attends by its
// memory and adds what it saw to it, m <- m + u. A picture and a sentence score the sum of the
// hops' dot products, which is that of the hops' vectors side by side. With attention.visual_layer
// the first memory of the regions, and what each hop over them sees, pass a linear layer and tanh.
class Dan : public RegionSystem {
 public:
  static constexpr std::size_t kHops = 2;
  Dan(const SystemOptions& options, const SystemInput& input);

 protected:
  torch::Tensor pictures(const torch::Tensor& regions) override;
  torch::Tensor sentences(const torch::Tensor& words, const CaptionBatch& captions) override;
  std::vector<LayerSpec> describe_pooling(const std::string& side) const override;
  std::int64_t vector_size() const override {
    return (1 + std::int64_t{kHops}) * RegionSystem::vector_size();
  }

 private:
  using Hops = std::vector<std::shared_ptr<MemoryAttention>>;
  // [groups, (1 + kHops) * dim]: the first memory and what each hop saw, together of unit length.
  static torch::Tensor seen(const ItemGroups& groups, torch::Tensor memory, const Hops& hops);
  Hops of_regions_, of_words_;
  std::shared_ptr<Linear> first_;  // with attention.visual_layer
};

}  // namespace hinny
