#include "index/asking/results.h"

#include <algorithm>
#include <functional>

#include "index/asking/filter.h"
#include "index/asking/selection.h"

namespace hinny {
namespace {

// What was taken in one second stays as it stands.
template <typename Item, typename ImageOf>
void newest_first(const Index& index, std::vector<Item>& items, ImageOf image_of) {
  const std::vector<std::int64_t>& times = known_facts(index).times;
  std::ranges::stable_sort(items, std::ranges::greater(),
                           [&](const Item& item) { return times[image_of(item)]; });
}

}  // namespace

std::vector<std::vector<Result>> results_of(const Index& index,
                                            std::span<const Prepared* const> asked,
                                            const Question& shared, const AskHelp& help,
                                            const Candidates& candidates) {
  if (shared.order == Question::Order::time) known_facts(index);  // before any work
  std::vector<std::vector<Result>> results;
  if (shared.near_copies || newest_of_all(shared) || folds_films(index, shared)) {
    results = selected_results(index, asked, shared, help, candidates);
  } else {
    const std::size_t k = std::min(shared.k, index.size());
    for (std::vector<Hit>& hits :
         ranked_hits(index, asked, shared, help, candidates.among, k + candidates.known.size())) {
      filter_wanted(hits, shared, candidates.known);
      results.push_back(as_results(hits, k));
    }
  }
  if (shared.order == Question::Order::time) {
    for (auto& some : results) {
      newest_first(index, some, [](const Result& result) { return result.hit.image; });
    }
  }
  return results;
}

}  // namespace hinny
