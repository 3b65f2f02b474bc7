#include "systems/smalr.h"

#include "nn/mean_encoder.h"

namespace hinny {

Smalr::Smalr(const SystemOptions& options, const SystemInput& input) : Mule(options, input) {
  if (options.loss.masked > 0) {
    masking_ = register_module(
        "masking", std::make_shared<CrossLanguageMasking>(options.text.mule_dim, options.dim),
        kLossRole);
  }
}

std::vector<LossTerm> Smalr::losses(const Batch& batch) {
  const Sentences whole = read(batch);
  std::vector<LossTerm> terms = losses_of(batch, whole);
  if (masking_ && stage() != Stage::pretrain) add_masked(batch, whole, terms);
  return terms;
}

Smalr::Sentences Smalr::masked(const Batch& batch, const Sentences& whole) {
  Sentences masked;
  for (std::size_t i = 0; i < whole.words.size(); ++i) {
    const SystemLanguage language = batch.languages[i].language;
    const CaptionWords words = masking_->mask(whole.words[i], options_.loss.mask_share);
    masked.means.push_back(mean_words(words));
    masked.joint.push_back({tower(language).sentences(words), words.captions.rows});
  }
  return masked;
}

void Smalr::add_masked(const Batch& batch, const Sentences& whole, std::vector<LossTerm>& terms) {
  const LossSettings& loss = options_.loss;
  const Sentences hidden = masked(batch, whole);
  if (loss.masked_ranking > 0) {
    for (LossTerm& term : ranking_losses(batch, whole.images, hidden.joint, loss.masked_ranking)) {
      term.name = "masked_" + term.name;
      terms.push_back(term);
    }
  }
  const auto of = [&](std::size_t i) {
    const torch::Tensor& rows = whole.joint[i].rows;
    return std::pair<MaskedSentences, MaskedSentences>{
        {whole.means[i], hidden.means[i], rows},
        {whole.joint[i].vectors, hidden.joint[i].vectors, rows}};
  };
  for (std::size_t i = 0; i < hidden.joint.size(); ++i) {
    const auto [mean_i, joint_i] = of(i);
    for (std::size_t j = i + 1; j < hidden.joint.size(); ++j) {
      const auto [mean_j, joint_j] = of(j);
      terms.push_back({"masked_" + language_name(batch.languages[i].language) + "_" +
                           language_name(batch.languages[j].language),
                       masking_->averaged(mean_i, mean_j) + masking_->final(joint_i, joint_j),
                       loss.masked});
    }
  }
}

}  // namespace hinny
