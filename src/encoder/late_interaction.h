// Late interaction of one sentence's words with pictures' regions: the formula of
// nn/late_interaction.h, for a few thousand pictures a question.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "model/model_config.h"
#include "retrieval/hubs.h"

namespace hinny {

// words [words, dim], at least one; regions [pictures, each, dim], of unit
// length -> [pictures].
std::vector<float> late_scores(const LateInteraction& late, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim, std::size_t each);

// How much each word together with each region of a picture contributed: [words, regions], 1
// altogether. A word has the share that its length has, divided as its cosines are smoothed.
std::vector<float> late_shares(const LateInteraction& late, std::span<const float> words,
                               std::span<const float> regions, std::size_t dim);

// What is to be added to the scores of pictures with these regions [pictures, each, dim], by the
// captions that are remembered, whose `lengths` say which words belong together -> [pictures].
std::vector<float> late_penalties(const HubBank& bank, const HubBank::Space& remembered,
                                  const LateInteraction& late, std::span<const float> regions,
                                  std::size_t each);

}  // namespace hinny
