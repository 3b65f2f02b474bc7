#include "systems/bag.h"

#include "nn/mixing.h"

namespace hinny {

std::vector<LossTerm> Bag::losses(const Batch& batch) {
  std::vector<Neighbours> captions = encode_batch_captions(batch);
  const double weight = 1.0 / static_cast<double>(batch.languages.size());
  if (options_.loss.mix == 0 || !is_training()) {
    return ranking_losses(batch, encode_batch_images(batch), captions, weight);
  }
  const Mix mix = Mix::draw(options_.loss.mix, batch.features.size(0));
  Batch mixed = batch;
  mixed.features = mix.of_images(batch.features);
  for (Neighbours& language : captions) language = mix.of_captions(language);
  return ranking_losses(mixed, encode_batch_images(mixed), captions, weight);
}

}  // namespace hinny
