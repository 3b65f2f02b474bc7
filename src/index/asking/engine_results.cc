#include "index/asking/engine_results.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

#include "index/tree/film_frames.h"

namespace hinny {
namespace {

bool is_frame(const Found& found) { return frame_moment(found.image, found.file).has_value(); }

// Of each film's frames the first one, and of all that is left the first k.
void fold_films(std::vector<Found>& found, std::size_t k) {
  std::unordered_set<std::string> films;
  std::erase_if(found,
                [&](const Found& one) { return is_frame(one) && !films.insert(one.file).second; });
  if (found.size() > k) found.resize(k);
}

}  // namespace

std::vector<Found> engine_results(const Engine& engine, const Query& query, const Question& shared,
                                  std::span<const std::string> known) {
  std::vector<Found> found = engine.nearest(query, shared, known);
  if (shared.each_frame || std::ranges::none_of(found, is_frame)) return found;
  Question more;  // what nearest() reads of the question: a copy of all of it may hold pictures
  more.min_score = shared.min_score;
  more.filter = shared.filter;
  more.details = shared.details;
  // The k best are looked for, and are sorted by time when they are found.
  const bool sorted = shared.order == Question::Order::time && !shared.has_least_score();
  more.order = sorted ? Question::Order::score : shared.order;
  const std::size_t images = engine.facts().images;
  for (more.k = 2 * shared.k;; more.k *= 4) {
    found = engine.nearest(query, more, known);
    const bool whole = found.size() < more.k || more.k >= images;
    fold_films(found, shared.k);
    if (whole || found.size() == shared.k) break;
  }
  if (sorted) std::ranges::stable_sort(found, std::ranges::greater(), &Found::taken);
  return found;
}

}  // namespace hinny
