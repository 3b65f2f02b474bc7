// Trains a translation model on captions and their translations.
#pragma once

#include <filesystem>
#include <memory>

#include "data/dataset.h"
#include "training/training_loop.h"
#include "translation/sentence_pairs.h"
#include "translation/translate.h"

namespace hinny {

// A translation model joined with its data. Stays where it was made.
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

// Translations of the pairs' sources with their references.
struct Measured {
  Direction direction;
  std::vector<std::string> sources, translations, references;
};
Measured translate_pairs(TranslationExperiment& experiment, const Direction& direction,
                         const SentencePairs& pairs, const TranslateOptions& options,
                         Progress* progress = nullptr);

// run_training of the model, judged by BLEU on the "val" split, averaged over directions; also
// writes README.md.
TrainingState train(TranslationExperiment& experiment, const std::filesystem::path& run,
                    const TrainingOptions& options);

}  // namespace hinny
