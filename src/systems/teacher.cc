#include "systems/teacher.h"

#include "nn/info_nce.h"

namespace hinny {
namespace {

LossOptions contrast_options(const TeachingOptions& teaching) {
  LossOptions options;
  options.temperature = teaching.temperature;
  options.text_to_image = options.image_to_text = 1;
  return options;
}

// Without what ranks pictures elsewhere.
SystemOptions words_alone(SystemOptions options) {
  options.loss = {};
  return options;
}

}  // namespace

Teacher::Teacher(const SystemOptions& options, const SystemInput& input)
    : TwoBranch(words_alone(options), input),
      contrast_(make_info_nce(contrast_options(options.teaching))) {
  for (torch::Tensor& parameter : contrast_->parameters()) parameter.requires_grad_(false);
}

void Teacher::start_along(const torch::Tensor& directions, const torch::Tensor&) {
  for (std::size_t l = 0; l < input_.languages.size(); ++l) {
    tower(SystemLanguage{static_cast<int>(l)}).start_along(directions);
  }
}

std::vector<LossTerm> Teacher::losses(const Batch& batch) {
  const TeachingOptions& teaching = options_.teaching;
  const double share = 1.0 / static_cast<double>(batch.languages.size());
  std::vector<LossTerm> terms;
  for (const auto& [language, captions] : batch.languages) {
    const torch::Tensor wanted = encode_images(batch.features, language);
    const torch::Tensor vectors = encode_captions(captions, language);
    const torch::Tensor apart = vectors - wanted.index_select(0, captions.rows);
    terms.push_back({"contrast_" + language_name(language),
                     contrast_->forward(wanted, vectors, captions.rows),
                     share * teaching.contrast});
    terms.push_back({"squares_" + language_name(language), apart.square().sum(1).mean(),
                     share * teaching.squares});
  }
  return terms;
}

}  // namespace hinny
