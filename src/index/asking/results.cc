#include "index/asking/results.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <unordered_set>

#include "index/asking/filter.h"
#include "index/asking/near_copies.h"

namespace hinny {
namespace {

void keep_wanted(std::vector<Hit>& hits, const Question& shared,
                 std::span<const std::size_t> known) {
  std::erase_if(hits, [&](const Hit& hit) {
    return static_cast<double>(hit.score) < shared.min_score ||
           std::ranges::find(known, hit.image) != known.end();
  });
}

std::vector<Result> as_results(std::span<const Hit> hits, std::size_t k) {
  std::vector<Result> results;
  for (const Hit& hit : hits.first(std::min(k, hits.size()))) results.push_back({hit, {}});
  return results;
}

// What was taken in one second stays as it stands.
template <typename Item, typename ImageOf>
void newest_first(const Index& index, std::vector<Item>& items, ImageOf image_of) {
  const std::vector<std::int64_t>& times = known_times(index);
  std::ranges::stable_sort(items, std::ranges::greater(),
                           [&](const Item& item) { return times[image_of(item)]; });
}

bool newest_of_all(const Question& shared) {
  return shared.order == Question::Order::time && shared.has_least_score();
}

// The results of one question that the first k of its ranking are not enough for.
class Selection {
 public:
  Selection(const Index& index, const Prepared& prepared, const Question& shared,
            const AskHelp& help, const Candidates& candidates)
      : index_(index),
        prepared_(prepared),
        shared_(shared),
        help_(help),
        candidates_(candidates),
        all_(candidates.among == nullptr ? index.size() : candidates.among->size()),
        k_(std::min(shared.k, index.size())) {}

  // Goes down the ranking until there are k results.
  std::vector<Result> results() const {
    std::size_t most = std::min(all_, 2 * (k_ + candidates_.known.size()));
    if (newest_of_all(shared_)) most = all_;
    for (;; most = std::min(all_, 4 * most)) {
      const Ranking ranking = first(most);
      if (!shared_.near_copies) return as_results(ranking.hits, k_);
      Originals originals(index_, prepared_.query.space);
      std::vector<Result> results = folded(ranking.hits, originals);
      if (!ranking.whole && results.size() < k_) continue;
      if (!ranking.whole) add_copies_behind(ranking.hits, originals, results);
      return results;
    }
  }

 private:
  struct Ranking {
    std::vector<Hit> hits;  // that may be results, in the question's order
    bool whole = false;     // no other may
  };

  Ranking first(std::size_t most) const {
    Ranking ranking;
    if (compares_regions(index_, prepared_)) {
      ranking = {compared_hits(index_, prepared_, shared_, help_, candidates_.among,
                               k_ + candidates_.known.size()),
                 true};
    } else {
      ranking.hits = by_vectors(most);
      ranking.whole = most == all_ || the_rest_scores_too_low(ranking.hits);
    }
    keep_wanted(ranking.hits, shared_, candidates_.known);
    if (newest_of_all(shared_)) newest_first(index_, ranking.hits, std::mem_fn(&Hit::image));
    return ranking;
  }

  std::vector<Hit> by_vectors(std::size_t most) const {
    const Prepared* const asked = &prepared_;
    std::vector<std::size_t> everything;
    Among among = candidates_.among;
    if (most == all_ && among == nullptr) {  // compared in full, whatever a graph would find
      everything.resize(all_);
      std::iota(everything.begin(), everything.end(), std::size_t{0});
      among = &everything;
    }
    return std::move(ranked_hits(index_, {&asked, 1}, shared_, help_, among, most).front());
  }

  // What stands behind these hits scores less than each of them, unless hubs stand behind too.
  bool the_rest_scores_too_low(std::span<const Hit> hits) const {
    if (index_.contents().hubs && prepared_.query.corrected) return false;
    return std::ranges::any_of(hits, [this](const Hit& hit) {
      return static_cast<double>(hit.score) < shared_.min_score;
    });
  }

  std::vector<Result> folded(std::span<const Hit> hits, Originals& originals) const {
    std::vector<Result> results;
    for (const Hit& hit : hits) {
      if (const auto original = originals.original_of(hit.image)) {
        results[*original].copies.push_back(hit);
      } else if (results.size() < k_) {
        originals.add(hit.image);
        results.push_back({hit, {}});
      }
    }
    return results;
  }

  // Copies of the results that stand behind these first hits.
  void add_copies_behind(std::span<const Hit> hits, Originals& originals,
                         std::vector<Result>& results) const {
    std::unordered_set<std::size_t> seen;
    for (const Hit& hit : hits) seen.insert(hit.image);
    std::vector<std::size_t> images = originals.near(candidates_.among);
    std::erase_if(images, [&](std::size_t image) { return seen.contains(image); });
    auto more =
        std::move(index_.search(std::span(&prepared_.query, 1), images.size(), &images).front());
    keep_wanted(more, shared_, candidates_.known);
    for (const Hit& hit : more) {
      if (const auto original = originals.original_of(hit.image)) {
        results[*original].copies.push_back(hit);
      }
    }
  }

  const Index& index_;
  const Prepared& prepared_;
  const Question& shared_;
  const AskHelp& help_;
  const Candidates& candidates_;
  std::size_t all_, k_;
};

}  // namespace

std::vector<std::vector<Result>> results_of(const Index& index,
                                            std::span<const Prepared* const> asked,
                                            const Question& shared, const AskHelp& help,
                                            const Candidates& candidates) {
  if (shared.order == Question::Order::time) known_times(index);  // before any work
  std::vector<std::vector<Result>> results;
  if (shared.near_copies || newest_of_all(shared)) {
    for (const Prepared* one : asked) {
      results.push_back(Selection(index, *one, shared, help, candidates).results());
    }
  } else {
    const std::size_t k = std::min(shared.k, index.size());
    for (std::vector<Hit>& hits :
         ranked_hits(index, asked, shared, help, candidates.among, k + candidates.known.size())) {
      keep_wanted(hits, shared, candidates.known);
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
