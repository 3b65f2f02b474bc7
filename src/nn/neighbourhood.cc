#include "nn/neighbourhood.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>

#include <limits>

#include "nn/triplet.h"

namespace hinny {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// `same` says whose image is the anchor's, `positives` which of those may be its positive: both
// [anchors, candidates].
torch::Tensor hinges(const torch::Tensor& scores, const torch::Tensor& same,
                     const torch::Tensor& positives, const LossOptions& options) {
  const torch::Tensor anchors = positives.any(1).nonzero().squeeze(1);
  if (anchors.size(0) == 0) return scores.new_zeros({});
  const torch::Tensor farthest =
      std::get<0>(scores.masked_fill(positives.logical_not(), kInfinity).min(1));
  return triplet_hinges(farthest.index_select(0, anchors),
                        scores.masked_fill(same, -kInfinity).index_select(0, anchors), options);
}

torch::Tensor same_image(const torch::Tensor& a, const torch::Tensor& b) {
  return a.unsqueeze(1) == b.unsqueeze(0);
}

}  // namespace

Neighbours pooled(const std::vector<Neighbours>& captions) {
  std::vector<torch::Tensor> vectors, rows;
  for (const Neighbours& language : captions) {
    vectors.push_back(language.vectors);
    rows.push_back(language.rows);
  }
  return {at::cat(vectors), at::cat(rows)};
}

torch::Tensor neighbourhood_loss(const Neighbours& captions, const LossOptions& options) {
  const torch::Tensor same = same_image(captions.rows, captions.rows);
  const torch::Tensor self = at::eye(captions.rows.size(0), same.options());
  return hinges(similarity(captions.vectors, captions.vectors, options.distance), same,
                same.logical_and(self.logical_not()), options);
}

torch::Tensor neighbourhood_loss(const Neighbours& anchors, const Neighbours& candidates,
                                 const LossOptions& options) {
  const torch::Tensor same = same_image(anchors.rows, candidates.rows);
  return hinges(similarity(anchors.vectors, candidates.vectors, options.distance), same, same,
                options);
}

}  // namespace hinny
