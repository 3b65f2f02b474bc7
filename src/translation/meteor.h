// METEOR with its exact and stem stages (Banerjee and Lavie 2005).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "translation/score_words.h"

namespace hinny {

struct MeteorOptions {
  // A BCP 47 code, for the stems (Snowball). Of a language without a stemmer, equal words alone
  // match.
  std::string language = "en";
  ScoreTokeniser tokeniser = ScoreTokeniser::mteval_13a;
};

struct Meteor {
  double score = 0.0;  // 0 to 100
  std::int64_t matches = 0;
  std::int64_t chunks = 0;  // runs of matches whose words are neighbours in both sentences
  std::int64_t hypothesis_words = 0;
  std::int64_t reference_words = 0;
  std::size_t references = 1;
  std::string stemmer;  // "snowball-de", or "none"
  MeteorOptions options;

  // "nrefs:1|case:lc|tok:13a|stem:snowball-en|alpha:0.9|beta:3|gamma:0.5|version:hinny-0.2.0"
  std::string signature() const;
};

// With P = matches / hypothesis_words and R = matches / reference_words:
//   F = P R / (alpha P + (1 - alpha) R), score = F (1 - gamma (chunks / matches)^beta)
// where alpha 0.9, beta 3 and gamma 0.5 are those of the paper (F = 10 P R / (R + 9 P)) and of
// NLTK. A score of several lines is that of their summed counts, as in METEOR 1.x, and not a mean
// over lines; of several references, a line counts the one with the highest score of its own, the
// first of equal ones.
//
// Words are compared in lower case; punctuation marks are words. As each exact match is also one
// of stems and counts the same, both stages are one search over stems: among the alignments with
// the most matches, the one with the fewest chunks, by a beam, as in METEOR 1.x. NLTK's choice
// among repeated words is blind to chunks: its scores are equal or lower.
// METEOR 1.5, which papers on Multi30K report, has paraphrases and other parameters: its numbers
// are not comparable.
//
// references: [reference][line]. Throws InputError as check_parallel does, and for a language that
// is no code. Safe to call from several threads.
Meteor meteor(const Lines& hypotheses, const std::vector<Lines>& references,
              const MeteorOptions& options = {});

}  // namespace hinny
