#include "index/asking/selection.h"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "index/asking/near_copies.h"
#include "index/asking/newest.h"

namespace hinny {
namespace {

constexpr std::size_t kFewestTogether = 64;  // hits that are folded at once
constexpr std::size_t kMostFresh = 16;       // more are, while only one of so many is an original

class Selection {
 public:
  Selection(const Index& index, std::span<const Prepared* const> asked, const Question& shared,
            const AskHelp& help, const Candidates& candidates)
      : index_(index),
        shared_(shared),
        help_(help),
        candidates_(candidates),
        films_(folds_films(index, shared) ? &index.films() : nullptr),
        folds_(shared.near_copies || films_ != nullptr),
        all_(candidates.among == nullptr ? index.size() : candidates.among->count()),
        k_(std::min(shared.k, index.size())) {
    for (const Prepared* one : asked) {
      questions_.push_back({one, {&one->query}, {}, {}, {}, {}});
      if (newest_of_all(shared) && one->for_reranker) add_places(*one, questions_.back().newest);
    }
  }

  // Goes down the rankings until each question has k results.
  std::vector<std::vector<Result>> results() {
    std::vector<One*> open;
    for (One& one : questions_) open.push_back(&one);
    std::size_t most = std::min(all_, folds_ ? 2 * (k_ + candidates_.known.size()) : k_);
    for (; !open.empty(); most = most > all_ / 8 ? all_ : 4 * most) {
      rank(open, most);
      for (One* one : open) fold(*one);
      std::erase_if(open, [this](const One* one) {
        return !folds_ || one->whole || one->results.size() == k_;
      });
    }
    if (shared_.near_copies) add_copies_behind();
    if (films_ != nullptr) drop_own_frames();
    std::vector<std::vector<Result>> results;
    for (One& one : questions_) results.push_back(std::move(one.results));
    return results;
  }

 private:
  struct One {
    const Prepared* prepared;
    NewestQuestion newest;
    std::optional<Originals> originals;
    std::unordered_set<std::uint32_t> films;  // that are results
    std::vector<Hit> hits;                    // that may be results, in the question's order
    std::vector<Result> results;              // so far
    bool whole = false;                       // no other hit may be a result
  };

  void add_places(const Prepared& prepared, NewestQuestion& question) const {
    const std::size_t most = std::min(shared_.compared(kReranked), all_);
    const Prepared* const one = &prepared;
    const auto hits =
        std::move(ranked_hits(index_, {&one, 1}, shared_, help_, candidates_.among, most).front());
    for (std::size_t i = 0; i < std::min(most, hits.size()); ++i) {
      question.places.emplace(hits[i].image, i);
    }
  }

  // The first `most` hits of each, or where regions are compared all that are.
  void rank(std::span<One* const> open, std::size_t most) const {
    if (compares_regions(index_, *open.front()->prepared)) {
      for (One* one : open) {
        one->hits = compared_hits(index_, *one->prepared, shared_, help_, candidates_.among,
                                  k_ + candidates_.known.size());
        one->whole = true;
        filter_wanted(one->hits, shared_, candidates_.known);
        if (newest_of_all(shared_)) put_newest_first(index_, one->newest, one->hits);
      }
    } else if (newest_of_all(shared_)) {
      std::vector<NewestQuestion> questions;
      for (const One* one : open) questions.push_back(one->newest);
      auto hits = newest_hits(index_, questions, shared_.min_score, candidates_.known, most,
                              candidates_.among);
      for (std::size_t i = 0; i < open.size(); ++i) {
        open[i]->whole = most == all_ || hits[i].size() < most;
        open[i]->hits = std::move(hits[i]);
      }
    } else {
      std::vector<const Prepared*> asked;
      for (const One* one : open) asked.push_back(one->prepared);
      auto hits = ranked_hits(index_, asked, shared_, help_, candidates_.among, most);
      for (std::size_t i = 0; i < open.size(); ++i) {
        open[i]->whole = most == all_ || the_rest_scores_too_low(*open[i]->prepared, hits[i]);
        filter_wanted(hits[i], shared_, candidates_.known);
        open[i]->hits = std::move(hits[i]);
      }
    }
  }

  // What stands behind these hits scores less than each of them, unless hubs stand behind too.
  bool the_rest_scores_too_low(const Prepared& prepared, std::span<const Hit> hits) const {
    if (index_.contents().hubs && prepared.query.corrected) return false;
    return std::ranges::any_of(hits, [this](const Hit& hit) {
      return static_cast<double>(hit.score) < shared_.min_score;
    });
  }

  // The question's hits into its results, each with the copies of it among them.
  void fold(One& one) const {
    if (!folds_) {
      one.results = as_results(one.hits, k_);
      return;
    }
    one.results.clear();
    one.films.clear();
    if (!shared_.near_copies) return fold_films(one);
    one.originals.emplace(index_, one.prepared->query.space);
    std::size_t together = kFewestTogether;
    for (std::size_t first = 0; first < one.hits.size();) {
      const std::size_t count = std::min(together, one.hits.size() - first);
      const std::size_t before = one.results.size();
      fold_some(one, std::span(one.hits).subspan(first, count));
      first += count;
      // With what only just became an original hits are compared one by one.
      const std::size_t fresh = one.results.size() - before;
      if (kMostFresh * fresh < count) together *= 2;
      if (fresh > count / 4) together = std::max(kFewestTogether, together / 2);
    }
  }

  std::uint32_t film_of(const Hit& hit) const {
    return films_ == nullptr ? Index::Films::kNone : films_->of_image(hit.image);
  }
  // Whether another frame of the hit's film is a result.
  bool is_of_known_film(const One& one, const Hit& hit) const {
    return one.films.contains(film_of(hit));
  }
  void add_result(One& one, const Hit& hit) const {
    if (const std::uint32_t film = film_of(hit); film != Index::Films::kNone)
      one.films.insert(film);
    one.results.push_back({hit, {}});
  }

  void fold_films(One& one) const {
    for (const Hit& hit : one.hits) {
      if (one.results.size() == k_) return;
      if (!is_of_known_film(one, hit)) add_result(one, hit);
    }
  }

  void fold_some(One& one, std::span<const Hit> hits) const {
    std::vector<std::size_t> images;
    for (const Hit& hit : hits) images.push_back(hit.image);
    const std::size_t known = one.originals->size();
    const std::vector<NearCopy> copies = one.originals->copies_among(images);
    auto copy = copies.begin();
    for (const Hit& hit : hits) {
      if (copy != copies.end() && copy->image == hit.image) {
        one.results[(copy++)->original].copies.push_back(hit);
      } else if (const auto original = one.originals->original_of(hit.image, known)) {
        one.results[*original].copies.push_back(hit);
      } else if (one.results.size() < k_ && !is_of_known_film(one, hit)) {
        one.originals->add(hit.image);
        add_result(one, hit);
      }
    }
  }

  // A film's other frames are no copies of it, and of another film one frame is enough.
  void drop_own_frames() {
    for (One& one : questions_) {
      for (auto& [hit, copies] : one.results) {
        std::unordered_set<std::uint32_t> seen = {film_of(hit)};
        std::erase_if(copies, [&](const Hit& copy) {
          const std::uint32_t film = film_of(copy);
          return film != Index::Films::kNone && !seen.insert(film).second;
        });
      }
    }
  }

  // Copies of the results that stand behind the hits that were ranked.
  void add_copies_behind() {
    std::vector<One*> open;
    std::vector<const Originals*> originals;
    for (One& one : questions_) {
      if (one.whole) continue;
      open.push_back(&one);
      originals.push_back(&*one.originals);
    }
    if (open.empty()) return;
    const auto copies = near_copies(originals, candidates_.among);
    for (std::size_t i = 0; i < open.size(); ++i) add_copies(copies[i], *open[i]);
  }

  void add_copies(std::span<const NearCopy> copies, One& one) const {
    std::unordered_set<std::size_t> seen;
    for (const Hit& hit : one.hits) seen.insert(hit.image);
    RowMask images(index_.size());
    std::unordered_map<std::size_t, std::size_t> original_of;
    for (const NearCopy& copy : copies) {
      if (seen.contains(copy.image)) continue;
      images.add(copy.image);
      original_of.emplace(copy.image, copy.original);
    }
    if (original_of.empty()) return;
    auto more = std::move(
        index_.search(std::span(&one.prepared->query, 1), original_of.size(), &images).front());
    filter_wanted(more, shared_, candidates_.known);
    if (newest_of_all(shared_)) put_newest_first(index_, one.newest, more);
    for (const Hit& hit : more) {
      one.results[original_of.at(hit.image)].copies.push_back(hit);
    }
  }

  const Index& index_;
  const Question& shared_;
  const AskHelp& help_;
  const Candidates& candidates_;
  const Index::Films* films_;  // whose frames are one result; or null
  bool folds_;
  std::size_t all_, k_;
  std::vector<One> questions_;
};

}  // namespace

bool newest_of_all(const Question& shared) {
  return shared.order == Question::Order::time && shared.has_least_score();
}

bool folds_films(const Index& index, const Question& shared) {
  return !shared.each_frame && index.films().count > 0;
}

std::vector<std::vector<Result>> selected_results(const Index& index,
                                                  std::span<const Prepared* const> asked,
                                                  const Question& shared, const AskHelp& help,
                                                  const Candidates& candidates) {
  return Selection(index, asked, shared, help, candidates).results();
}

void filter_wanted(std::vector<Hit>& hits, const Question& shared,
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

}  // namespace hinny
