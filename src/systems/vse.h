// VSE++ (Faghri et al. 2018), and with several languages the multilingual model of Kádár et al.
// 2018: one vocabulary, one GRU and one image layer for all languages. With a GRU per language and
// batches of images it is Pivot of Gella et al. 2017, with captions ranked by captions Parallel.
#pragma once

#include "systems/two_branch.h"

namespace hinny {

// words [joint vocabulary, 300] -> GRU 1024 -> L2; image features -> FC 1024 -> L2; max (or sum)
// of hinges against the batch's other items (Kádár et al. 2018, section 3). A batch holds one
// language, drawn by the sampler, or several with sample.by = "images"; then add_near.
class Vse : public TwoBranch {
 public:
  using TwoBranch::TwoBranch;
  std::vector<LossTerm> losses(const Batch& batch) override;
};

}  // namespace hinny
