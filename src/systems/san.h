// SAN, the simplest attention network (Huang et al. 2020, Sec. 3.2).
#pragma once

#include "nn/attention_pool.h"
#include "systems/region_system.h"

namespace hinny {

// Words and regions are each pooled by attention to a learned context vector (Eq. 7) into one
// vector of unit length; scores are cosines.
class San : public RegionSystem {
 public:
  San(const SystemOptions& options, const SystemInput& input);

 protected:
  torch::Tensor pictures(const torch::Tensor& regions) override;
  torch::Tensor sentences(const torch::Tensor& words, const CaptionBatch& captions) override;
  std::vector<LayerSpec> describe_pooling(const std::string& side) const override;

 private:
  std::shared_ptr<ContextAttention> of_regions_, of_words_;
};

}  // namespace hinny
