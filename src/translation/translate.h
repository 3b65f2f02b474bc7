// Sentences -> their translations.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
#include "translation/beam_search.h"
#include "translation/translation_model.h"

namespace hinny {

struct TranslateOptions : SearchOptions {  // `never` is the model's, not the caller's
  std::int64_t sentences = 64;             // at once
};

// Regions of the images of some of the sentences, by their positions: [sentences, regions, size].
using RegionsOf = std::function<torch::Tensor(std::span<const std::size_t>)>;

// For each sentence its translations, best first; of an empty one, an empty one. A subword that
// the model does not know is written as the source word that it looked at. `regions` for a model
// that sees; without them it translates the text alone. Stops with Interrupted after Ctrl-C.
std::vector<std::vector<Translation>> translate(TranslationModel& model, const Direction& direction,
                                                std::span<const std::string> sentences,
                                                const TranslateOptions& options,
                                                const RegionsOf& regions = {},
                                                Progress* progress = nullptr);

}  // namespace hinny
