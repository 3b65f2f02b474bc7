// Stored image features -> vectors.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/features.h"
#include "encoder/layers.h"
#include "encoder/model.h"

namespace hinny {

// Safe to use from several threads, but a call uses thread_count() threads already. `model` must
// outlive it.
class ImageEncoder {
 public:
  explicit ImageEncoder(const Model& model);

  // Rows as stored, [images, config().features.dim()] -> [images, config().dim], in `space`.
  // Throws InputError when the model lacks the space.
  std::vector<float> encode(std::span<const float> rows, const std::string& space) const;
  // The regions that it pools: items [images, regions, numbers], attention [images, regions].
  PooledItems encode_regions(std::span<const float> rows, const std::string& space) const;

 private:
  const std::vector<LayerSpec>& layers(const std::string& space) const;
  std::vector<float> apply(std::span<const float> rows, const std::string& space,
                           PooledItems* pooled) const;
  const Model& model_;
  FeatureTransform transform_;
};

}  // namespace hinny
