#include "systems/bag.h"

#include "nn/mixing.h"

namespace hinny {

std::vector<LossTerm> Bag::losses(const Batch& batch) {
  std::vector<Neighbours> captions = encode_batch_captions(batch);
  Batch seen = batch;
  if (options_.loss.mix > 0 && is_training()) {
    const Mix mix = Mix::draw(options_.loss.mix, batch.features.size(0), captions);
    seen.features = mix.of_images(batch.features);
    for (Neighbours& language : captions) language = mix.of_captions(language);
  }
  std::vector<LossTerm> terms = ranking_losses(seen, encode_batch_images(seen), captions);
  for (std::size_t i = 0; i < terms.size(); ++i) terms[i].weight = share_of_captions(batch, i);
  return terms;
}

}  // namespace hinny
