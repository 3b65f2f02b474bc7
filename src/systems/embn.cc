#include "systems/embn.h"

#include "nn/neighbourhood.h"

namespace hinny {

std::vector<LossTerm> Embn::losses(const Batch& batch) {
  std::vector<LossTerm> terms;
  const LossSettings& loss = options_.loss;
  const std::vector<torch::Tensor> images = encode_batch_images(batch);
  for (std::size_t i = 0; i < batch.languages.size(); ++i) {
    const auto& [language, captions] = batch.languages[i];
    const torch::Tensor sentences = encode_captions(captions, language);
    terms.push_back(ranking_loss(images[i], sentences, captions, language));
    if (loss.neighbourhood > 0) {
      terms.push_back({"near_" + language_name(language),
                       neighbourhood_loss({sentences, captions.rows}, stage_options()),
                       loss.neighbourhood});
    }
  }
  return terms;
}

std::vector<ParameterGroup> Embn::parameter_groups() const {
  std::vector<std::string> words;
  for (const std::string& language : input_.languages) {
    words.push_back("text_" + language + ".words");
  }
  words.push_back("text.words");
  return {{words, 2.0, 0.0}, {{"text"}, 2.0, 1.0}, {{""}, 1.0, 1.0}};
}

}  // namespace hinny
