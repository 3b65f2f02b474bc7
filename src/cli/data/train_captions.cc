#include "cli/data/train_captions.h"

namespace hinny {

std::vector<std::string_view> train_captions(const Dataset& dataset, const std::string& language) {
  const int position = dataset.language(language);
  std::vector<std::string_view> captions;
  for (const int image : dataset.split("train")) {
    for (const int caption : dataset.captions_of(image, position)) {
      captions.push_back(dataset.captions()[static_cast<std::size_t>(caption)].text);
    }
  }
  return captions;
}

WordCounts train_words(const Dataset& dataset, const std::string& language,
                       const TokenizerOptions& options) {
  Tokenizer tokenizer(language, options);
  WordCounts counts;
  for (const std::string_view caption : train_captions(dataset, language)) {
    for (std::string& word : tokenizer.words(caption)) ++counts[std::move(word)];
  }
  return counts;
}

}  // namespace hinny
