#include "translation/meteor.h"

#include <fmt/format.h>

#include <cmath>
#include <unordered_map>

#include "base/interrupt.h"
#include "text/snowball.h"
#include "translation/chunks.h"

namespace hinny {
namespace {

constexpr double kAlpha = 0.9;
constexpr double kBeta = 3.0;
constexpr double kGamma = 0.5;
constexpr double kTie = 1e-9;  // no more than rounding: the first of equal references counts

class Stemmer {
 public:
  explicit Stemmer(const std::string& language) : snowball_(language) {}
  std::string name() const {
    return snowball_.knows_language() ? "snowball-" + snowball_.code() : "none";
  }

  // Words of the same stem have the same number; words have numbers of their own without stemmer.
  std::vector<std::size_t> numbers(const std::vector<std::string>& words) {
    std::vector<std::size_t> result;
    result.reserve(words.size());
    for (const std::string& word : words) {
      result.push_back(numbers_.try_emplace(snowball_.stem(word), numbers_.size()).first->second);
    }
    return result;
  }

 private:
  Snowball snowball_;
  std::unordered_map<std::string, std::size_t> numbers_;
};

double score_of(const Meteor& counts) {
  if (counts.matches == 0) return 0.0;
  const auto matches = static_cast<double>(counts.matches);
  const double precision = matches / static_cast<double>(counts.hypothesis_words);
  const double recall = matches / static_cast<double>(counts.reference_words);
  const double mean = precision * recall / (kAlpha * precision + (1.0 - kAlpha) * recall);
  const double penalty = kGamma * std::pow(static_cast<double>(counts.chunks) / matches, kBeta);
  return 100.0 * mean * (1.0 - penalty);
}

Meteor compare(const std::vector<std::size_t>& hypothesis,
               const std::vector<std::size_t>& reference) {
  const Alignment alignment = align(hypothesis, reference);
  Meteor counts;
  counts.matches = alignment.matches;
  counts.chunks = alignment.chunks;
  counts.hypothesis_words = static_cast<std::int64_t>(hypothesis.size());
  counts.reference_words = static_cast<std::int64_t>(reference.size());
  counts.score = score_of(counts);
  return counts;
}

}  // namespace

std::string Meteor::signature() const {
  return fmt::format("nrefs:{}|case:lc|tok:{}|stem:{}|alpha:{}|beta:{}|gamma:{}|{}", references,
                     name_of(options.tokeniser), stemmer, kAlpha, kBeta, kGamma,
                     version_signature());
}

Meteor meteor(const Lines& hypotheses, const std::vector<Lines>& references,
              const MeteorOptions& options) {
  check_parallel(hypotheses, references);
  Stemmer stemmer(options.language);
  Meteor sums;
  sums.references = references.size();
  sums.stemmer = stemmer.name();
  sums.options = options;
  const auto numbers_of = [&](const std::string& line) {
    return stemmer.numbers(score_words(lower_cased(line), options.tokeniser));
  };
  for (std::size_t line = 0; line < hypotheses.size(); ++line) {
    stop_if_interrupted();
    const std::vector<std::size_t> hypothesis = numbers_of(hypotheses[line]);
    Meteor best = compare(hypothesis, numbers_of(references[0][line]));
    for (std::size_t i = 1; i < references.size(); ++i) {
      const Meteor other = compare(hypothesis, numbers_of(references[i][line]));
      if (other.score > best.score + kTie) best = other;
    }
    sums.matches += best.matches;
    sums.chunks += best.chunks;
    sums.hypothesis_words += best.hypothesis_words;
    sums.reference_words += best.reference_words;
  }
  sums.score = score_of(sums);
  return sums;
}

}  // namespace hinny
