// Harder negatives of several languages at once (Huang et al. 2020, Eq. 9 and 10).
#pragma once

#include <torch/types.h>

#include <vector>

#include "recipe/loss_options.h"

namespace hinny {

// Captions of one language, or of one type within it, against a batch's images.
struct LanguageScores {
  torch::Tensor scores;  // [captions, images], larger is better
  torch::Tensor rows;    // [captions] int64: the image of each caption
  double weight = 1.0;   // its beta; the weights sum to 1
};

// For each image and caption of its own, in any of the languages, two hinges of options.margin:
//   [margin - s(v, t) + sum over languages l of beta_l s(v, hardest caption of l)]_+
//   [margin - s(v, t) + s(hardest image, t)]_+
// where what is hardest is the most similar of those that do not belong together. An image for
// which a language has no such caption has no first hinge. Summed, or their mean over captions, as
// options.reduction says. With one language it is the triplet loss with Mining::max.
torch::Tensor harder_negatives(const std::vector<LanguageScores>& languages,
                               const LossOptions& options);

}  // namespace hinny
