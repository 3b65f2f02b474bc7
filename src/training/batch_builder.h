// Batch plans -> tensors.
#pragma once

#include <torch/types.h>

#include <span>

#include "data/features.h"
#include "data/sampler.h"
#include "systems/retrieval_system.h"
#include "training/corpus.h"

namespace hinny {

// Everything that batches are made of. Refers to objects that must outlive it.
class BatchBuilder {
 public:
  BatchBuilder(const Corpus& corpus, const Features& features, const FeatureTransform& transform,
               torch::Device device)
      : corpus_(corpus), features_(features), transform_(transform), device_(device) {}

  Batch build(const BatchPlan& plan) const;
  // [images, feature dim], transformed.
  torch::Tensor images(std::span<const int> images) const;
  // `rows` may be empty when there is no image to point at.
  CaptionBatch captions(std::span<const int> captions, std::span<const int> rows) const;

 private:
  const Corpus& corpus_;
  const Features& features_;
  const FeatureTransform& transform_;
  torch::Device device_;
};

}  // namespace hinny
