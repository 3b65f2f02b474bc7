// Corpus BLEU (Papineni et al. 2002), the same number as sacreBLEU 2 (Post 2018) gives.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "translation/score_words.h"

namespace hinny {

struct BleuOptions {
  ScoreTokeniser tokeniser = ScoreTokeniser::mteval_13a;
  bool lower_case = false;
};

inline constexpr std::size_t kBleuOrder = 4;

struct Bleu {
  double score = 0.0;                           // 0 to 100
  std::array<double, kBleuOrder> precisions{};  // in percent, smoothed; all 0 when nothing matches
  double brevity_penalty = 1.0;
  std::array<std::int64_t, kBleuOrder> matches{};  // n-grams of the hypotheses that a reference has
  std::array<std::int64_t, kBleuOrder> ngrams{};   // all n-grams of the hypotheses
  std::int64_t hypothesis_words = 0;
  std::int64_t reference_words = 0;  // of the reference nearest in length, the shorter of two
  std::size_t references = 1;
  BleuOptions options;

  // "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:hinny-0.2.0", in sacreBLEU's form.
  std::string signature() const;
};

// score = brevity_penalty * (product of the four precisions)^(1/4), counted over all lines
// together; brevity_penalty = min(1, exp(1 - reference_words / hypothesis_words)). Where no n-gram
// of an order matches, the k-th such order counts 1 / 2^k matches (smoothing "exp", that of
// mteval-v13a; Chen and Cherry 2014, method 3). references: [reference][line].
// Throws InputError as check_parallel does. Safe to call from several threads.
Bleu bleu(const Lines& hypotheses, const std::vector<Lines>& references,
          const BleuOptions& options = {});

}  // namespace hinny
