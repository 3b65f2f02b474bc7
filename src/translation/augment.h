// A dataset with translations of its captions beside them.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "translation/train_translation.h"

namespace hinny {

struct AugmentOptions {
  Direction direction;
  std::set<std::string> splits = {"train"};
  // Which captions are translated; empty: those by people.
  std::set<Source> sources;
  TranslateOptions search;
  bool resume = false;
};

struct Augmented {
  std::size_t captions = 0;      // written
  std::size_t unseen = 0;        // left out: their images have no features, and the model sees
  std::size_t untranslated = 0;  // left out: nothing came of them
};

// Writes the dataset folder `out`: what `experiment` was opened on, and after its captions the
// translations, each with "source" (machine-translation, or mmt by a model that sees), "model"
// (the hash of its weights), "translated_from" (the language) and "original" (the text). Pictures
// and features are linked, or copied where that cannot be. Until it is done, the translations are
// kept in `out`.partial, from which an interrupted augmentation goes on. Throws InputError when
// `out` is there already, or what is to be resumed was begun with another model, data or options;
// Interrupted after Ctrl-C.
Augmented augment(TranslationExperiment& experiment, const std::filesystem::path& run,
                  const std::filesystem::path& out, const AugmentOptions& options);

}  // namespace hinny
