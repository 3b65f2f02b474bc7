// Rankings -> results: cut off, sorted, near copies grouped.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "index/asking/ranking.h"

namespace hinny {

struct Result {
  Hit hit;
  std::vector<Hit> copies;  // near copies of it that stand behind it
};

// Which images may be results.
struct Candidates {
  Among among = nullptr;
  std::span<const std::size_t> known;  // the question's own pictures, which are no results
};

// For each of these questions, which are of one space, the results that `shared` asks for. Those of
// near copies, of films and of the newest are found among all candidates, not among the k best;
// where regions are compared, among those that are. Throws as ranked_hits, and RequestError where
// the order needs times that the index does not know.
std::vector<std::vector<Result>> results_of(const Index& index,
                                            std::span<const Prepared* const> asked,
                                            const Question& shared, const AskHelp& help,
                                            const Candidates& candidates);

}  // namespace hinny
