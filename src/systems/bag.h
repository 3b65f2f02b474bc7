// Our baseline: the mean of a caption's word vectors against the image, trained by InfoNCE.
#pragma once

#include "systems/two_branch.h"

namespace hinny {

// Per language: words [vocabulary, 300], mean, dropout, FC -> dim. One image branch. The loss is
// the mean over all captions of each language's against the batch's images, both ways; in training
// with loss.mix of mixed ones (nn/mixing.h).
class Bag : public TwoBranch {
 public:
  using TwoBranch::TwoBranch;
  std::vector<LossTerm> losses(const Batch& batch) override;
};

}  // namespace hinny
