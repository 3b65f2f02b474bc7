#include "text/subword_learning.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "base/error.h"
#include "base/utf8.h"
#include "text/characters.h"

namespace hinny {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// A merge touches only the places where its pair stands and their neighbours: words are chains of
// symbols, a pair knows its places, and the queue is put right when an entry comes to its top.
class Learner {
 public:
  explicit Learner(const WordCounts& counts) {
    for (const auto& [word, count] : counts) {
      if (count > 0) add_word(word, count);
    }
  }

  std::vector<SubwordMerge> run(std::int64_t merges, std::int64_t min_count) {
    std::vector<SubwordMerge> found;
    Queue queue(Less{&texts_});
    push_grown(queue);
    while (!queue.empty() && static_cast<std::int64_t>(found.size()) < merges) {
      const Candidate best = queue.top();
      queue.pop();
      Pair& pair = pairs_.at(symbol_pair(best.left, best.right));
      if (pair.count < std::max<std::int64_t>(1, min_count)) continue;
      if (pair.count < best.count) queue.push({pair.count, best.left, best.right});
      if (pair.count != best.count) continue;  // one that grew is there with its new count
      // One text may come about in two ways, so that a pair comes back after it was merged.
      if (!std::exchange(pair.found, true)) {
        found.push_back({text(best.left), text(best.right)});
      }
      merge(best.left, best.right, pair);
      push_grown(queue);
    }
    return found;
  }

 private:
  struct Place {
    std::int32_t symbol;  // -1: became part of the symbol before it
    std::size_t previous, next;
    std::int64_t count;
  };
  struct Pair {
    std::int64_t count = 0;
    std::vector<std::size_t> places;  // of its left symbol; some are out of date
    bool found = false;
  };
  struct Candidate {
    std::int64_t count;  // the pair's, or more
    std::int32_t left, right;
  };
  struct Less {
    const std::vector<std::string>* texts;
    const std::string& text(std::int32_t symbol) const {
      return (*texts)[static_cast<std::size_t>(symbol)];
    }
    bool operator()(const Candidate& a, const Candidate& b) const {
      if (a.count != b.count) return a.count < b.count;
      if (a.left != b.left) return text(a.left) < text(b.left);
      return text(a.right) < text(b.right);
    }
  };
  using Queue = std::priority_queue<Candidate, std::vector<Candidate>, Less>;

  void add_word(const std::string& word, std::int64_t count) {
    if (!is_utf8(word) || word.find_first_of(" \t\r\n\v\f") != std::string::npos) {
      throw InputError(fmt::format("the word '{}'", word), "UTF-8 without white space");
    }
    for_each_character(word, [&](std::size_t begin, std::size_t end) {
      std::string symbol = word.substr(begin, end - begin);
      if (end == word.size()) symbol += kWordEnd;
      const std::size_t at = places_.size();
      places_.push_back({symbol_of(symbol), begin == 0 ? kNone : at - 1,
                         end == word.size() ? kNone : at + 1, count});
      if (begin > 0) change(at - 1, 1);
    });
  }

  const std::string& text(std::int32_t symbol) const {
    return texts_[static_cast<std::size_t>(symbol)];
  }

  std::int32_t symbol_of(const std::string& text) {
    const std::int32_t symbol = symbols_.add(text);
    if (static_cast<std::size_t>(symbol) == texts_.size()) texts_.push_back(text);
    return symbol;
  }

  // Counts the pair that begins here, or no longer does.
  void change(std::size_t at, int sign) {
    if (at == kNone || places_[at].next == kNone) return;
    const Place& place = places_[at];
    const std::uint64_t key = symbol_pair(place.symbol, places_[place.next].symbol);
    Pair& pair = pairs_[key];
    pair.count += sign * place.count;
    if (sign < 0) return;
    pair.places.push_back(at);
    grown_.emplace_back(place.symbol, places_[place.next].symbol);
  }

  void merge(std::int32_t left, std::int32_t right, Pair& pair) {
    const std::int32_t joined = symbol_of(text(left) + text(right));
    std::vector<std::size_t> places = std::exchange(pair.places, {});
    std::ranges::sort(places);  // from the left: "aaa" becomes "aa a"
    for (const std::size_t at : places) {
      Place& place = places_[at];
      if (place.symbol != left || place.next == kNone) continue;
      Place& next = places_[place.next];
      if (next.symbol != right) continue;
      change(place.previous, -1);
      change(at, -1);
      change(place.next, -1);
      place.symbol = joined;
      place.next = next.next;
      if (place.next != kNone) places_[place.next].previous = at;
      next.symbol = -1;
      change(place.previous, 1);
      change(at, 1);
    }
  }

  void push_grown(Queue& queue) {
    std::ranges::sort(grown_);
    grown_.erase(std::unique(grown_.begin(), grown_.end()), grown_.end());
    for (const auto& [left, right] : grown_) {
      queue.push({pairs_.at(symbol_pair(left, right)).count, left, right});
    }
    grown_.clear();
  }

  SymbolTable symbols_;
  std::vector<std::string> texts_;  // by symbol
  std::vector<Place> places_;       // of all words, one after another
  std::unordered_map<std::uint64_t, Pair> pairs_;
  std::vector<std::pair<std::int32_t, std::int32_t>> grown_;  // since the queue last saw them
};

}  // namespace

std::int32_t SymbolTable::add(std::string_view text) {
  const auto found = ids_.find(text);
  if (found != ids_.end()) return found->second;
  return ids_.emplace(text, static_cast<std::int32_t>(ids_.size())).first->second;
}

std::int32_t SymbolTable::find(std::string_view text) const {
  const auto found = ids_.find(text);
  return found == ids_.end() ? -1 : found->second;
}

std::vector<SubwordMerge> learn_merges(const WordCounts& counts, std::int64_t merges,
                                       std::int64_t min_count) {
  return Learner(counts).run(merges, min_count);
}

}  // namespace hinny
