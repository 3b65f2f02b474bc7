#include "systems/mule.h"

#include "nn/layers.h"
#include "nn/mean_encoder.h"

namespace hinny {

Mule::Mule(const SystemOptions& options, const SystemInput& input) : TwoBranch(options, input) {
  if (options.loss.adversary > 0) {
    adversary_ = register_module(
        "adversary",
        std::make_shared<LanguageClassifier>(options.text.mule_dim,
                                             static_cast<std::int64_t>(input.languages.size())),
        kLossRole);
  }
}

void Mule::set_stage(Stage stage, const Done& done) {
  TwoBranch::set_stage(stage, done);
  done_ = done.share;
  for (std::size_t i = 0; i < input_.languages.size(); ++i) {
    tower(SystemLanguage{static_cast<int>(i)}).freeze_words(stage == Stage::pretrain);
  }
}

Mule::Sentences Mule::read(const Batch& batch) {
  Sentences all;
  for (const auto& [language, captions] : batch.languages) {
    all.words.push_back(tower(language).words(captions));
    all.means.push_back(mean_words(all.words.back()));
    all.mule.push_back({unit_rows(all.means.back()), captions.rows});
    if (stage() == Stage::pretrain) continue;
    all.joint.push_back({tower(language).sentences(all.words.back()), captions.rows});
  }
  if (stage() != Stage::pretrain) all.images = encode_batch_images(batch);
  return all;
}

std::vector<LossTerm> Mule::losses(const Batch& batch) { return losses_of(batch, read(batch)); }

std::vector<LossTerm> Mule::losses_of(const Batch& batch, const Sentences& sentences) {
  const LossSettings& loss = options_.loss;
  std::vector<LossTerm> terms;
  if (stage() == Stage::pretrain) {
    add_near("mule", batch, sentences.mule, terms);
    return terms;
  }
  terms = ranking_losses(batch, sentences.images, sentences.joint);
  if (loss.neighbourhood_layers != NeighbourhoodLayers::mule)
    add_near("joint", batch, sentences.joint, terms);
  if (loss.neighbourhood_layers != NeighbourhoodLayers::joint)
    add_near("mule", batch, sentences.mule, terms);
  if (adversary_) {
    std::vector<int> languages;
    for (const auto& entry : batch.languages) languages.push_back(static_cast<int>(entry.language));
    terms.push_back({"adversary",
                     adversary_->forward(sentences.means, languages, reversal_strength(done_)),
                     loss.adversary});
  }
  for (const auto& [language, captions] : batch.languages) {
    if (loss.word_drift <= 0) break;
    terms.push_back({"drift_" + language_name(language), tower(language).word_drift(),
                     loss.word_drift / static_cast<double>(batch.languages.size())});
  }
  return terms;
}

}  // namespace hinny
