// SCAN, stacked cross attention (Lee et al. 2018).
#pragma once

#include "systems/region_system.h"

namespace hinny {

// Words and regions of unit length; every picture is compared with every sentence by attention of
// one over the other (attention.* of the recipe). There is no vector of a sentence.
class Scan : public RegionSystem {
 public:
  using RegionSystem::RegionSystem;
  bool compares_pairs() const override { return true; }
  torch::Tensor compare(const torch::Tensor& pictures, const torch::Tensor& sentences,
                        const CaptionBatch& captions) override;
  // The vectors are means: what a shortlist of pictures is drawn up by.
  ModelConfig describe() const override;

 protected:
  torch::Tensor pictures(const torch::Tensor& regions) override;
  torch::Tensor sentences(const torch::Tensor& words, const CaptionBatch& captions) override;
  std::vector<LayerSpec> describe_pooling(const std::string& side) const override;
};

}  // namespace hinny
