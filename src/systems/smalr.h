// SMALR (Burns et al. 2020): MULE with hybrid words (text.latents) and masked sentences.
#pragma once

#include "nn/masking.h"
#include "systems/mule.h"

namespace hinny {

// Per language: the most frequent words [own, 50] -> FC 512; every other word one of the latent
// tokens [latents, 512] that all languages share (nn/hybrid_tower.h). Then as MULE. Eq. 4 is MULE's
// terms and, where loss.masked is above 0,
//   masked_rank_*  captions with words masked, and images (Eq. 3)
//   masked_*       the masked cross-language model, for each pair of languages, on averaged and on
//                  final sentences (Eq. 2)
// Pretraining (LP) is MULE's, in which words learn which token they are.
class Smalr : public Mule {
 public:
  Smalr(const SystemOptions& options, const SystemInput& input);
  std::vector<LossTerm> losses(const Batch& batch) override;

 private:
  Sentences masked(const Batch& batch, const Sentences& whole);
  void add_masked(const Batch& batch, const Sentences& whole, std::vector<LossTerm>& terms);

  std::shared_ptr<CrossLanguageMasking> masking_;
};

}  // namespace hinny
