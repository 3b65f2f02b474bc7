#include "translation/bleu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <unordered_map>

#include "base/interrupt.h"

namespace hinny {
namespace {

using Ngrams = std::unordered_map<std::string, std::int64_t>;

// Words hold no space, so that a space between them keeps n-grams apart.
Ngrams ngrams_of(const std::vector<std::string>& words, std::size_t order) {
  Ngrams ngrams;
  for (std::size_t begin = 0; begin + order <= words.size(); ++begin) {
    std::string ngram = words[begin];
    for (std::size_t i = 1; i < order; ++i) ngram.append(1, ' ').append(words[begin + i]);
    ++ngrams[ngram];
  }
  return ngrams;
}

std::int64_t nearest_length(std::int64_t length, const std::vector<std::int64_t>& lengths) {
  return *std::min_element(lengths.begin(), lengths.end(), [&](auto a, auto b) {
    return std::pair(std::abs(a - length), a) < std::pair(std::abs(b - length), b);
  });
}

void add_line(Bleu& sums, const std::vector<std::string>& hypothesis,
              const std::vector<std::vector<std::string>>& references) {
  std::vector<std::int64_t> lengths;
  lengths.reserve(references.size());
  for (const auto& words : references) lengths.push_back(static_cast<std::int64_t>(words.size()));
  const auto length = static_cast<std::int64_t>(hypothesis.size());
  sums.hypothesis_words += length;
  sums.reference_words += nearest_length(length, lengths);
  for (std::size_t order = 1; order <= kBleuOrder; ++order) {
    Ngrams most;  // in one reference
    for (const auto& words : references) {
      for (const auto& [ngram, count] : ngrams_of(words, order)) {
        most[ngram] = std::max(most[ngram], count);
      }
    }
    for (const auto& [ngram, count] : ngrams_of(hypothesis, order)) {
      sums.ngrams[order - 1] += count;
      const auto found = most.find(ngram);
      if (found != most.end()) sums.matches[order - 1] += std::min(count, found->second);
    }
  }
}

double brevity_penalty(double words, double reference_words) {
  if (words >= reference_words) return 1.0;
  return words > 0.0 ? std::exp(1.0 - reference_words / words) : 0.0;
}

void finish(Bleu& sums) {
  sums.brevity_penalty = brevity_penalty(static_cast<double>(sums.hypothesis_words),
                                         static_cast<double>(sums.reference_words));
  if (sums.matches == decltype(sums.matches){}) return;
  double unmatched = 1.0;
  double product = 1.0;
  for (std::size_t i = 0; i < kBleuOrder; ++i) {
    auto matches = static_cast<double>(sums.matches[i]);
    if (sums.matches[i] == 0) matches = 1.0 / (unmatched *= 2.0);
    // Without any n-gram of this order, as with hypotheses of three words: 0, and so is BLEU.
    if (sums.ngrams[i] > 0) {
      sums.precisions[i] = 100.0 * matches / static_cast<double>(sums.ngrams[i]);
    }
    product *= sums.precisions[i];
  }
  sums.score = sums.brevity_penalty * std::pow(product, 1.0 / kBleuOrder);
}

}  // namespace

std::string Bleu::signature() const {
  return fmt::format("nrefs:{}|case:{}|eff:no|tok:{}|smooth:exp|{}", references,
                     options.lower_case ? "lc" : "mixed", name_of(options.tokeniser),
                     version_signature());
}

Bleu bleu(const Lines& hypotheses, const std::vector<Lines>& references,
          const BleuOptions& options) {
  check_parallel(hypotheses, references);
  Bleu result;
  result.references = references.size();
  result.options = options;
  const auto words_of = [&](const std::string& line) {
    return score_words(options.lower_case ? lower_cased(line) : line, options.tokeniser);
  };
  std::vector<std::vector<std::string>> words(references.size());
  for (std::size_t line = 0; line < hypotheses.size(); ++line) {
    stop_if_interrupted();
    for (std::size_t i = 0; i < references.size(); ++i) words[i] = words_of(references[i][line]);
    add_line(result, words_of(hypotheses[line]), words);
  }
  finish(result);
  return result;
}

}  // namespace hinny
