// Whether one system finds significantly more than another on the same pictures and captions.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "retrieval/query_ranks.h"
#include "retrieval/recall.h"

namespace hinny {

// Both systems' ranks for one language's captions. Images are the same in all languages; one
// without a caption in a language is no query there.
struct PairedRanks {
  std::string language;
  std::vector<int> image_of_caption;
  QueryRanks first, second;
};

struct PairedDifference {
  std::string language;  // or "average"
  std::size_t captions = 0;
  double first = 0, second = 0;  // mR
  double difference = 0;         // first - second, in points
  double low = 0, high = 0;      // its 95 % interval
  double p = 1;
};

struct PairedTable {
  std::string first_run, second_run, split;  // for the caller to fill in
  std::size_t images = 0;
  std::vector<PairedDifference> languages;
  PairedDifference average;  // mR over languages, each counting the same
};

// Bootstrap resamples, and permutations.
inline constexpr std::size_t kRounds = 10'000;

// The unit of both methods is an image with all its captions in all languages. They describe one
// picture: where it is hard, all of them are, so counted one by one they would claim more certainty
// than there is. An image without captions is no unit.
//   interval: percentiles of a bootstrap. As many images are drawn with replacement, and the
//     difference is taken of those; ranks remain those among all images. A draw without a query
//     in a language says nothing of it, and its average is that of the others.
//   p: two-sided, by permutation. If the systems were alike, chance alone would have given each
//     of an image's two results to its system. So a coin for each image says whether they are
//     swapped: its contribution to the difference changes sign. p = (1 + differences as far from 0
//     as the measured one) / (1 + kRounds): what was measured is one of them, so p is never 0.
// It tells of other pictures and captions like these, not of trainings with other seeds.
//
// The seed is fixed and all sums are of whole numbers below 2^24, exact in any order: equal ranks
// give equal bytes, whatever library and number of threads. Uses all of them.
// Throws std::invalid_argument for ranks that do not fit each other, or a language without
// captions.
PairedTable compare_ranks(std::span<const PairedRanks> languages);

// For the terminal, for docs (Markdown), for programs (the stable interface of
// `eval --against --json`).
std::string as_text(const PairedTable& table);
std::string as_markdown(const PairedTable& table);
std::string as_json(const PairedTable& table);

}  // namespace hinny
