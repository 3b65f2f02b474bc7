// EmbN, the two-branch embedding network (Wang et al. 2018), and PARALLEL-EmbN (Kim et al. 2020).
#pragma once

#include "systems/two_branch.h"

namespace hinny {

// Per language: words [vocabulary, 300] -> LSTM 1024 -> FC 512 -> L2. Image: FC 2048 -> BatchNorm
// -> ReLU -> dropout -> FC 512 -> L2, one branch per language (EmbN: `image.branch =
// "per-language"`, so the languages share nothing and are trained side by side) or one for all
// (PARALLEL-EmbN). Triplets with the hardest violations in both directions, plus the
// neighbourhood constraint between captions of one language.
class Embn : public TwoBranch {
 public:
  using TwoBranch::TwoBranch;
  std::vector<LossTerm> losses(const Batch& batch) override;
  // Text learns twice as fast; word vectors do not decay.
  std::vector<ParameterGroup> parameter_groups() const override;
};

}  // namespace hinny
