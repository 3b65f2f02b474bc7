// The bidirectional triplet loss (hinge on a margin) with a choice of negatives.
#pragma once

#include "nn/loss.h"

namespace hinny {

std::shared_ptr<RetrievalLoss> make_triplet(const LossOptions& options);

// scores [captions, images] of captions of the images `rows`, parted.
struct PairScores {
  torch::Tensor positive;  // [captions] with their own images
  torch::Tensor other;     // [captions, images], -infinity where the two belong together
};
PairScores pair_scores(const torch::Tensor& scores, const torch::Tensor& rows);

// The same of scores that are there already: scores[c, i] of caption c with image i, and rows[c]
// the image of caption c.
torch::Tensor triplet_loss(const torch::Tensor& scores, const torch::Tensor& rows,
                           const LossOptions& options);

// [anchors, candidates] -> [anchors, kept]: the highest, in no order, as mining and hardest say.
torch::Tensor hardest_negatives(const torch::Tensor& negatives, const LossOptions& options);

// Over the chosen negatives the sum or mean, as `hinges` says, of [margin - positive + negative]_+,
// then over the anchors as `reduction` says. Of the options only margin, mining, hardest, hinges
// and reduction count.
//   positive  [anchors]
//   negatives [anchors, candidates], -infinity where a candidate is no negative
// An anchor without negatives contributes 0.
torch::Tensor triplet_hinges(const torch::Tensor& positive, const torch::Tensor& negatives,
                             const LossOptions& options);

}  // namespace hinny
