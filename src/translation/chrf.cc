#include "translation/chrf.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>

#include "base/interrupt.h"
#include "text/characters.h"

namespace hinny {
namespace {

struct Matches {
  std::int64_t hypothesis = 0, reference = 0, both = 0;
};
using Statistics = std::array<Matches, kChrfOrder>;

// A line without white space and the n-grams in it, which look into its text: it stays in place.
class CharacterNgrams {
 public:
  CharacterNgrams(const std::string& line, bool lower_case)
      : text_(without_spaces(lower_case ? lower_cased(line) : line)) {
    std::vector<std::size_t> starts = {0};
    for_each_character(text_, [&](std::size_t, std::size_t end) { starts.push_back(end); });
    for (std::size_t order = 1; order <= kChrfOrder; ++order) {
      for (std::size_t i = 0; i + order < starts.size(); ++i) {
        const std::string_view text = text_;
        ++counts_[order - 1][text.substr(starts[i], starts[i + order] - starts[i])];
        ++totals_[order - 1];
      }
    }
  }
  CharacterNgrams(const CharacterNgrams&) = delete;
  CharacterNgrams& operator=(const CharacterNgrams&) = delete;

  Statistics match(const CharacterNgrams& reference) const {
    Statistics result;
    for (std::size_t i = 0; i < kChrfOrder; ++i) {
      // As in sacreBLEU: an order that the reference is too short for counts nothing.
      if (reference.totals_[i] == 0) continue;
      result[i] = {totals_[i], reference.totals_[i], 0};
      for (const auto& [ngram, count] : counts_[i]) {
        const auto found = reference.counts_[i].find(ngram);
        if (found != reference.counts_[i].end()) result[i].both += std::min(count, found->second);
      }
    }
    return result;
  }

 private:
  std::string text_;
  std::array<std::unordered_map<std::string_view, std::int64_t>, kChrfOrder> counts_;
  std::array<std::int64_t, kChrfOrder> totals_{};
};

double f_score(const Statistics& statistics) {
  double precision = 0.0;
  double recall = 0.0;
  int orders = 0;
  for (const Matches& order : statistics) {
    if (order.hypothesis == 0 || order.reference == 0) continue;
    precision += static_cast<double>(order.both) / static_cast<double>(order.hypothesis);
    recall += static_cast<double>(order.both) / static_cast<double>(order.reference);
    ++orders;
  }
  if (precision + recall == 0.0) return 0.0;
  precision /= orders;
  recall /= orders;
  constexpr double kFactor = kChrfBeta * kChrfBeta;
  return (1.0 + kFactor) * precision * recall / (kFactor * precision + recall);
}

Statistics best_match(const CharacterNgrams& hypothesis, const std::vector<Lines>& references,
                      std::size_t line, bool lower_case) {
  Statistics best;
  double best_score = -1.0;
  for (const Lines& reference : references) {
    const Statistics statistics = hypothesis.match(CharacterNgrams(reference[line], lower_case));
    const double score = f_score(statistics);
    if (score <= best_score) continue;
    best_score = score;
    best = statistics;
  }
  return best;
}

}  // namespace

std::string Chrf::signature() const {
  return fmt::format("nrefs:{}|case:{}|eff:yes|nc:{}|nw:0|space:no|{}", references,
                     lower_case ? "lc" : "mixed", kChrfOrder, version_signature());
}

Chrf chrf(const Lines& hypotheses, const std::vector<Lines>& references, bool lower_case) {
  check_parallel(hypotheses, references);
  Statistics sums;
  for (std::size_t line = 0; line < hypotheses.size(); ++line) {
    stop_if_interrupted();
    const CharacterNgrams hypothesis(hypotheses[line], lower_case);
    const Statistics best = best_match(hypothesis, references, line, lower_case);
    for (std::size_t i = 0; i < kChrfOrder; ++i) {
      sums[i].hypothesis += best[i].hypothesis;
      sums[i].reference += best[i].reference;
      sums[i].both += best[i].both;
    }
  }
  return {100.0 * f_score(sums), references.size(), lower_case};
}

}  // namespace hinny
