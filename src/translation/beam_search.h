// The most probable translations, word by word.
#pragma once

#include <cstdint>
#include <vector>

#include "translation/translation_net.h"

namespace hinny {

struct SearchOptions {
  std::int64_t beam = 5;  // 1: greedy
  std::int64_t best = 1;  // translations wanted of each sentence, at most `beam`
  // A translation's score is its log-probability over its length to this power (0: the sum).
  double length_power = 1.0;
  std::vector<std::int32_t> never;  // ids that are not written
};

struct Hypothesis {
  std::vector<std::int32_t> ids;       // up to and with kEnd, unless it grew too long
  std::vector<std::int32_t> attended;  // for each id the source word that it looked at most
  double score = 0;
};

// For each sentence its `best` hypotheses, best first; fewer when fewer were found. A translation
// has at most twice its source's words and ten.
std::vector<std::vector<Hypothesis>> beam_search(TranslationNet& net, const SourceStates& source,
                                                 const SearchOptions& options);

}  // namespace hinny
