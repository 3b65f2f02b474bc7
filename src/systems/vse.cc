#include "systems/vse.h"

namespace hinny {

std::vector<LossTerm> Vse::losses(const Batch& batch) {
  std::vector<LossTerm> terms;
  const std::vector<torch::Tensor> images = encode_batch_images(batch);
  for (std::size_t i = 0; i < batch.languages.size(); ++i) {
    const auto& [language, captions] = batch.languages[i];
    terms.push_back(
        ranking_loss(images[i], encode_captions(captions, language), captions, language));
  }
  return terms;
}

}  // namespace hinny
