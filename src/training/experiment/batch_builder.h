// Batch plans -> tensors.
#pragma once

#include <torch/types.h>

#include <span>
#include <vector>

#include "data/features.h"
#include "data/sampler.h"
#include "data/sentence_vectors.h"
#include "systems/retrieval_system.h"
#include "training/experiment/corpus.h"

namespace hinny {

// Sentence vectors from outside, by position of the caption in its dataset.
struct GivenSentences {
  SentenceVectors vectors;
  std::vector<int> places;                                    // Caption::place
  torch::Tensor gather(std::span<const int> captions) const;  // [captions, dim]
};

// The features of these images, transformed, on the CPU: [images, feature dim].
torch::Tensor image_rows(const Features& features, const FeatureTransform& transform,
                         std::span<const int> images);

// Everything that batches are made of. Refers to objects that must outlive it.
class BatchBuilder {
 public:
  // `sentences` may be null: captions then have words alone. `languages`: for each of the dataset's
  // its position among the system's.
  BatchBuilder(const Corpus& corpus, const Features& features, const FeatureTransform& transform,
               const GivenSentences* sentences, std::vector<SystemLanguage> languages,
               torch::Device device)
      : corpus_(corpus),
        features_(features),
        transform_(transform),
        sentences_(sentences),
        languages_(std::move(languages)),
        device_(device) {}

  torch::Device device() const { return device_; }
  Batch build(const BatchPlan& plan) const;
  // [images, feature dim], transformed.
  torch::Tensor images(std::span<const int> images) const;
  // `rows` may be empty when there is no image to point at.
  CaptionBatch captions(std::span<const int> captions, std::span<const int> rows) const;

 private:
  const Corpus& corpus_;
  const Features& features_;
  const FeatureTransform& transform_;
  const GivenSentences* sentences_;
  std::vector<SystemLanguage> languages_;
  torch::Device device_;
};

}  // namespace hinny
