// Learns from captions what a model's scores say about whether a picture belongs (retrieval/fit.h).
#pragma once

#include <optional>
#include <string>

#include "data/dataset.h"
#include "data/features.h"
#include "encoder/model.h"
#include "retrieval/fit.h"

namespace hinny {

// Questions are single words that people agree on: of the photographs of `split` whose captions
// have the word, at least half have it in two. A photograph belongs to the word where a caption
// has it. Each is asked of all of them, and of those alone to which it does not belong, of which
// nothing fits. One curve for all languages: what a score is compared with is the language's own.
// Nothing where no language has two captions a photograph, or the words are too few.
std::optional<FitCurve> learn_fit(const Model& model, const HubBank& bank, const Dataset& dataset,
                                  const Features& features, const std::string& split);

}  // namespace hinny
