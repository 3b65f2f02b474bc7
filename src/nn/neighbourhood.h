// Neighbourhood constraints: captions of one image lie closer to each other than to captions of
// other images (Wang et al. 2018, section 3.2; MULE: Kim et al. 2020, Eq. 1).
#pragma once

#include <torch/types.h>

#include <vector>

#include "recipe/loss_options.h"

namespace hinny {

// Vectors of captions and the rows of their images.
struct Neighbours {
  torch::Tensor vectors;  // [captions, dim], rows of unit length
  torch::Tensor rows;     // [captions] int64
};

// Captions of several languages as one list.
Neighbours pooled(const std::vector<Neighbours>& captions);

// Each caption against the others; anchors without another caption of their image are left out.
// Of kind triplet: an anchor's positives are the farthest other caption of its image or each, as
// `positives` says; margin, mining, hardest, hinges, reduction and distance count. Of kind infonce:
// cross-entropy of each (anchor, positive) against the captions of other images, mean over the
// pairs; temperature counts, and is not learned. -> scalar
torch::Tensor neighbourhood_loss(const Neighbours& captions, const LossOptions& options);

// The same with anchors and candidates apart: captions of two languages.
torch::Tensor neighbourhood_loss(const Neighbours& anchors, const Neighbours& candidates,
                                 const LossOptions& options);

}  // namespace hinny
