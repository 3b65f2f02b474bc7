#include "systems/vse.h"

namespace hinny {

std::vector<LossTerm> Vse::losses(const Batch& batch) {
  if (batch.pairs) return {pair_loss(*batch.pairs)};
  const std::vector<Neighbours> captions = encode_batch_captions(batch);
  std::vector<LossTerm> terms = ranking_losses(batch, encode_batch_images(batch), captions);
  add_near("joint", batch, captions, terms);
  return terms;
}

}  // namespace hinny
