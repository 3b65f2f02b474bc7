// A translation model joined with its data.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "translation/sentence_pairs.h"
#include "translation/translate.h"
#include "translation/translation_model.h"

namespace hinny {

// Stays where it was made.
struct TranslationExperiment {
  Dataset dataset;
  std::unique_ptr<Features> features;  // of image regions; mmt alone
  TranslationModel model;
  std::vector<SentencePairs> train, val;  // by direction

  TranslationExperiment(Dataset data, TranslationModel translation)
      : dataset(std::move(data)), model(std::move(translation)) {}
  TranslationExperiment(const TranslationExperiment&) = delete;
  TranslationExperiment& operator=(const TranslationExperiment&) = delete;

  // The regions of these images, as the model reads them: [images, regions, size].
  torch::Tensor regions(std::span<const int> images) const;
  // The regions of sentences about these images, one each, for translate(). Empty, and the images
  // are not looked at, when the model does not see.
  RegionsOf regions_of(std::vector<int> images) const;
};

// For training: subwords and vocabulary from the train split's pairs, or everything but what sees
// from the run `from`, if that is not empty. Throws InputError when there are no pairs.
std::unique_ptr<TranslationExperiment> new_translation(Recipe recipe,
                                                       const std::filesystem::path& data,
                                                       const std::filesystem::path& from,
                                                       torch::Device device);
// A trained model on some data, with all of its languages.
std::unique_ptr<TranslationExperiment> open_translation_on(const std::filesystem::path& run,
                                                           const std::filesystem::path& data,
                                                           const std::string& features,
                                                           torch::Device device);

}  // namespace hinny
