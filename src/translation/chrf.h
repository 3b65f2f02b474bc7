// chrF2, the F-score of character n-grams (Popovic 2015), the same number as sacreBLEU 2 gives.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "translation/score_words.h"

namespace hinny {

inline constexpr std::size_t kChrfOrder = 6;
inline constexpr double kChrfBeta = 2.0;  // recall counts twice as much as precision

struct Chrf {
  double score = 0.0;  // 0 to 100
  std::size_t references = 1;
  bool lower_case = false;

  // "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:hinny-0.2.0", in sacreBLEU's form.
  std::string signature() const;
};

// Precision and recall of the n-grams of 1 to 6 code points, white space left out, each counted
// over all lines together and averaged over the orders that both sides have n-grams of:
//   F = (1 + beta^2) precision recall / (beta^2 precision + recall).
// Of several references, a line counts the one with the highest F of its own.
// references: [reference][line]. Throws InputError as check_parallel does. Safe to call from
// several threads.
Chrf chrf(const Lines& hypotheses, const std::vector<Lines>& references, bool lower_case = false);

}  // namespace hinny
