// The bidirectional triplet loss (hinge on a margin) with a choice of negatives.
#pragma once

#include "nn/loss.h"

namespace hinny {

std::shared_ptr<RetrievalLoss> make_triplet(const LossOptions& options);

// sum over the chosen negatives of [margin - positive + negative]_+, then over the anchors as
// `reduction` says. Of the options only margin, mining, hardest and reduction count.
//   positive  [anchors]
//   negatives [anchors, candidates], -infinity where a candidate is no negative
// An anchor without negatives contributes 0.
torch::Tensor triplet_hinges(const torch::Tensor& positive, const torch::Tensor& negatives,
                             const LossOptions& options);

// Similarity that the hinges compare: cosine, or minus the euclidean distance of unit vectors
// as in MULE's code, -sqrt(d^2 + 1e-4). [a, dim] x [b, dim] -> [a, b]
torch::Tensor similarity(const torch::Tensor& a, const torch::Tensor& b,
                         const std::string& distance);

}  // namespace hinny
