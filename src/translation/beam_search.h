// The most probable translations, word by word.
#pragma once

#include <vector>

#include "text/beam.h"
#include "translation/translation_net.h"

namespace hinny {

// For each sentence its `best` hypotheses, best first; fewer when fewer were found. A translation
// has at most most_words() of its source's.
std::vector<std::vector<Hypothesis>> beam_search(TranslationNet& net, const SourceStates& source,
                                                 const SearchOptions& options);

}  // namespace hinny
