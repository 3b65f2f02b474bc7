// The results of questions that the first k of a ranking are not enough for: those of near copies,
// of films, and the newest.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "index/asking/results.h"

namespace hinny {

// Whether it asks for the newest of all images that score well enough, not of the k best.
bool newest_of_all(const Question& shared);

// Whether frames of one film are one result.
bool folds_films(const Index& index, const Question& shared);

// As results_of. The collection is read once for all of the questions, and once more for the near
// copies that stand behind what was read; more often only where so many pictures are near copies of
// each other that the first few thousand are not k different ones.
std::vector<std::vector<Result>> selected_results(const Index& index,
                                                  std::span<const Prepared* const> asked,
                                                  const Question& shared, const AskHelp& help,
                                                  const Candidates& candidates);

// Leaves the hits that score well enough and that are news to whoever asks.
void filter_wanted(std::vector<Hit>& hits, const Question& shared,
                   std::span<const std::size_t> known);

std::vector<Result> as_results(std::span<const Hit> hits, std::size_t k);

}  // namespace hinny
