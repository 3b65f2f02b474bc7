#include "nn/neighbourhood.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/eye.h>

#include <limits>

#include "nn/info_nce.h"
#include "nn/similarity.h"
#include "nn/triplet.h"

namespace hinny {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// What may be compared: whose image is the anchor's, and which of those may be its positive. Both
// [anchors, candidates].
struct Pairs {
  torch::Tensor same, positives;
};

torch::Tensor hinges(const torch::Tensor& scores, const Pairs& pairs, const LossOptions& options) {
  const torch::Tensor others = scores.masked_fill(pairs.same, -kInfinity);
  if (options.positives == Positives::all) {
    const torch::Tensor places = pairs.positives.nonzero();  // [pairs, 2]
    const torch::Tensor anchors = places.select(1, 0), found = places.select(1, 1);
    const torch::Tensor hardest = hardest_negatives(others, options);  // once for an anchor's pairs
    return triplet_hinges(scores.index({anchors, found}), hardest.index_select(0, anchors),
                          options);
  }
  const torch::Tensor anchors = pairs.positives.any(1).nonzero().squeeze(1);
  if (anchors.size(0) == 0) return scores.new_zeros({});
  const torch::Tensor farthest =
      std::get<0>(scores.masked_fill(pairs.positives.logical_not(), kInfinity).min(1));
  return triplet_hinges(farthest.index_select(0, anchors), others.index_select(0, anchors),
                        options);
}

// Every (anchor, positive) by InfoNCE.
torch::Tensor contrasts(const torch::Tensor& scores, const Pairs& pairs, double temperature) {
  const torch::Tensor places = pairs.positives.flatten().nonzero().squeeze(1);
  if (places.size(0) == 0) return scores.new_zeros({});
  const torch::Tensor logits = scores / temperature;
  return contrast(logits, pairs.same, places.div(scores.size(1), "floor"),
                  logits.flatten().index_select(0, places));
}

torch::Tensor compare(const torch::Tensor& a, const torch::Tensor& b, const Pairs& pairs,
                      const LossOptions& options) {
  if (options.kind == LossKind::infonce) {
    return contrasts(contrast_scores(a, b, options.distance), pairs, options.temperature);
  }
  return hinges(similarity(a, b, options.distance), pairs, options);
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
  return compare(captions.vectors, captions.vectors, {same, same.logical_and(self.logical_not())},
                 options);
}

torch::Tensor neighbourhood_loss(const Neighbours& anchors, const Neighbours& candidates,
                                 const LossOptions& options) {
  const torch::Tensor same = same_image(anchors.rows, candidates.rows);
  return compare(anchors.vectors, candidates.vectors, {same, same}, options);
}

}  // namespace hinny
