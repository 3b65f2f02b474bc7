#include "text/subwords.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/lines.h"
#include "text/characters.h"

namespace hinny {
namespace {

constexpr std::string_view kHeader = "#version: 0.2";
constexpr std::size_t kMostMerges = 10'000'000;
constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

// A symbol of the word at work.
struct Link {
  std::int32_t symbol;  // -1: in no merge, or became part of the one before it
  std::size_t begin;    // its first byte
  std::size_t previous, next;
};

std::vector<Link> characters(std::string_view word, const SymbolTable& symbols) {
  std::vector<Link> links;
  for_each_character(word, [&](std::size_t begin, std::size_t end) {
    const std::size_t at = links.size();
    std::string text(word.substr(begin, end - begin));
    if (end == word.size()) text += kWordEnd;
    links.push_back({symbols.find(text), begin, begin == 0 ? kNone : at - 1,
                     end == word.size() ? kNone : at + 1});
  });
  return links;
}

std::vector<std::string> marked(std::string_view word, const std::vector<Link>& links) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < links.size(); at = links[at].next) {
    const std::size_t begin = links[at].begin;
    if (links[at].next == kNone) {
      pieces.emplace_back(word.substr(begin));
    } else {
      pieces.emplace_back(word.substr(begin, links[links[at].next].begin - begin)) += kGoesOn;
    }
  }
  if (!pieces.empty() && pieces.back().ends_with(kGoesOn)) {
    pieces.back() += '@';  // all but its last "@", then the mark
    pieces.emplace_back("@");
  }
  return pieces;
}

SubwordMerge parse_merge(const std::filesystem::path& path, std::size_t line,
                         std::string_view text) {
  const std::size_t space = text.find(' ');
  if (space == 0 || space >= text.size() - 1 || text.find(' ', space + 1) != std::string::npos) {
    throw InputError(path, line, fmt::format("the merge '{}'", text.substr(0, 60)),
                     "two pieces with one space between them");
  }
  return {std::string(text.substr(0, space)), std::string(text.substr(space + 1))};
}

}  // namespace

bool Subwords::add(SubwordMerge merge) {
  const std::uint64_t pair = symbol_pair(symbols_.add(merge.left), symbols_.add(merge.right));
  const Joined joined = {merges_.size(), symbols_.add(merge.left + merge.right)};
  if (!joined_.try_emplace(pair, joined).second) return false;
  merges_.push_back(std::move(merge));
  return true;
}

Subwords Subwords::learn(const WordCounts& counts, std::int64_t merges, std::int64_t min_count) {
  Subwords subwords;
  for (SubwordMerge& merge : learn_merges(counts, merges, min_count)) {
    subwords.add(std::move(merge));
  }
  return subwords;
}

Subwords Subwords::read(const std::filesystem::path& path) {
  Subwords subwords;
  bool started = false;
  for_each_line(path, [&](std::string_view text, std::size_t line) {
    if (!std::exchange(started, true)) {
      if (text == kHeader) return;
      throw InputError(path, line, fmt::format("'{}'", text.substr(0, 60)), kHeader);
    }
    if (subwords.merges_.size() == kMostMerges) {
      throw InputError(path, line, "a merge too many", fmt::format("at most {}", kMostMerges));
    }
    if (!subwords.add(parse_merge(path, line, text))) {
      throw InputError(path, line, fmt::format("the merge '{}' a second time", text.substr(0, 60)),
                       "each merge once");
    }
  });
  if (!started) throw InputError(path, "an empty file", kHeader);
  return subwords;
}

void Subwords::write(const std::filesystem::path& path) const {
  AtomicFile file(path);
  file.write(fmt::format("{}\n", kHeader));
  for (const auto& [left, right] : merges_) file.write(fmt::format("{} {}\n", left, right));
  file.commit();
}

// Each round does one merge at all its places, from the left. The places wait in a queue, so that
// a long word is not searched anew each time.
std::vector<std::string> Subwords::pieces(std::string_view word) const {
  std::vector<Link> links = characters(word, symbols_);
  const auto merge_at = [&](std::size_t at) {
    const Link& link = links[at];
    if (link.symbol < 0 || link.next == kNone) return joined_.end();
    return joined_.find(symbol_pair(link.symbol, links[link.next].symbol));
  };
  using Waiting = std::pair<std::size_t, std::size_t>;  // rank, place
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> queue;
  const auto offer = [&](std::size_t at) {
    if (at == kNone) return;
    const auto found = merge_at(at);
    if (found != joined_.end()) queue.emplace(found->second.rank, at);
  };
  for (std::size_t at = 0; at < links.size(); ++at) offer(at);
  std::vector<std::size_t> places;
  while (!queue.empty()) {
    const std::size_t rank = queue.top().first;
    places.clear();
    for (; !queue.empty() && queue.top().first == rank; queue.pop()) {
      places.push_back(queue.top().second);
    }
    for (const std::size_t at : places) {
      const auto found = merge_at(at);
      if (found == joined_.end() || found->second.rank != rank) continue;  // a neighbour is gone
      Link& link = links[at];
      Link& next = links[link.next];
      link.symbol = found->second.symbol;
      next.symbol = -1;
      link.next = next.next;
      if (link.next != kNone) links[link.next].previous = at;
      offer(link.previous);
      offer(at);
    }
  }
  return marked(word, links);
}

std::vector<std::string> words_of_pieces(std::span<const std::string> pieces) {
  std::vector<std::string> words;
  bool goes_on = false;
  for (std::string_view piece : pieces) {
    if (!goes_on) words.emplace_back();
    goes_on = piece.ends_with(kGoesOn);
    if (goes_on) piece.remove_suffix(kGoesOn.size());
    words.back() += piece;
    if (!goes_on && words.back().empty()) words.pop_back();
  }
  if (!words.empty() && words.back().empty()) words.pop_back();
  return words;
}

}  // namespace hinny
