// Trains a translation model on captions and their translations.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "training/loop/training_loop.h"
#include "translation/translate.h"
#include "translation/translation_experiment.h"

namespace hinny {

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
