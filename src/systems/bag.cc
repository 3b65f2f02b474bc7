#include "systems/bag.h"

namespace hinny {

std::vector<LossTerm> Bag::losses(const Batch& batch) {
  std::vector<LossTerm> terms;
  const std::vector<torch::Tensor> images = encode_batch_images(batch);
  for (std::size_t i = 0; i < batch.languages.size(); ++i) {
    const auto& [language, captions] = batch.languages[i];
    terms.push_back(
        ranking_loss(images[i], encode_captions(captions, language), captions, language));
    terms.back().weight = 1.0 / static_cast<double>(batch.languages.size());
  }
  return terms;
}

}  // namespace hinny
