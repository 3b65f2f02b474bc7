// A student of another model: text towers that put a sentence where a teacher puts its translation
// (Reimers and Gurevych 2020; Carlsson et al. 2022). Pictures are the teacher's vectors.
#pragma once

#include "nn/loss.h"
#include "systems/two_branch.h"

namespace hinny {

// As Bag on the side of words. The batch's features are the teacher's vectors of its lines, in the
// place of pictures, and stay as they are but for their length.
class Teacher : public TwoBranch {
 public:
  Teacher(const SystemOptions& options, const SystemInput& input);
  void start_along(const torch::Tensor& directions, const torch::Tensor& spread) override;
  // The mean over languages of teacher.contrast times InfoNCE, both ways, by a fixed temperature,
  // and teacher.squares times the mean squared distance |sentence - teacher's vector|^2.
  std::vector<LossTerm> losses(const Batch& batch) override;

 private:
  std::shared_ptr<RetrievalLoss> contrast_;  // nothing that is learnt: no module of this one
};

}  // namespace hinny
