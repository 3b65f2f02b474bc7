// Captions and their translations, as training and measuring want them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/direction.h"

namespace hinny {

// Two captions of one image, each the other's translation.
struct SentencePair {
  int image = 0;   // position in Dataset::images()
  int source = 0;  // positions in Dataset::captions()
  int target = 0;
};

struct SentencePairs {
  std::vector<SentencePair> pairs;  // in the order of the images
  std::int64_t unclear = 0;         // images with several captions in one of the languages
};

// Of a split's images with one caption in each of the two languages: which of several is the
// other's translation, no file says.
SentencePairs sentence_pairs(const Dataset& dataset, const std::string& split,
                             const Direction& direction);

// Batches of pairs of like length: epoch after epoch others, but always as many. A batch has at
// most `words` target words, padding included, or one pair.
class PairBatches {
 public:
  // lengths: of the pairs' targets, in words.
  PairBatches(std::vector<std::int64_t> lengths, std::int64_t words, std::uint64_t seed);
  std::int64_t count() const { return static_cast<std::int64_t>(ends_.size()); }
  // Positions in `lengths`; the same at each call.
  std::vector<std::vector<std::size_t>> epoch(std::int64_t epoch) const;

 private:
  std::vector<std::size_t> in_order(std::int64_t epoch) const;
  std::vector<std::int64_t> lengths_;
  std::uint64_t seed_;
  std::vector<std::size_t> ends_;  // of each batch, in the order of length
};

}  // namespace hinny
