// Beam search for some sentences at once, on the calling thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "encoder/translation_decoder.h"
#include "text/beam.h"

namespace hinny {

// For each of `sources`, the ids of a sentence with its marks, its translations, best first; none
// when nothing is found. What is found does not depend on the sentences beside it.
std::vector<std::vector<Hypothesis>> search_translations(
    const TranslationDecoder& decoder, std::span<const std::vector<std::int32_t>> sources,
    const SearchOptions& options);

}  // namespace hinny
