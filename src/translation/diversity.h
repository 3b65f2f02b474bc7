// Lexical diversity: how many different words a text has for its length.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hinny {

struct LexicalDiversity {
  std::int64_t words = 0;
  std::int64_t distinct_words = 0;
  // distinct_words / words. It falls as a text grows: compare texts of about one length.
  double type_token_ratio = 0.0;
  // Distinct pairs of neighbours in a sentence / such pairs. Li et al. (2016) divide by words
  // instead; the ratio of what is counted stays within 0 to 1 for sentences of any length.
  double distinct_2 = 0.0;
  // Mean type-token ratio of the text's segments of equal length (Johnson 1944), which a text's
  // own length does not change; what is left at the end is left out. None for less than a segment.
  std::optional<double> mean_segmental_ratio;

  // Li et al.'s name for the type-token ratio.
  double distinct_1() const { return type_token_ratio; }
};

inline constexpr std::size_t kDiversitySegment = 1000;  // words

// Each sentence's words, as spelt: lower-case them first. What has no letter and no digit, as
// punctuation marks, is no word and stands between no neighbours. All 0 for a text without words.
// Safe to call from several threads.
LexicalDiversity lexical_diversity(const std::vector<std::vector<std::string>>& sentences,
                                   std::size_t segment = kDiversitySegment);

}  // namespace hinny
