#include "systems/bag.h"

namespace hinny {

std::vector<LossTerm> Bag::losses(const Batch& batch) {
  const std::vector<Neighbours> captions = encode_batch_captions(batch);
  return ranking_losses(batch, encode_batch_images(batch), captions,
                        1.0 / static_cast<double>(batch.languages.size()));
}

}  // namespace hinny
