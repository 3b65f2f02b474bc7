// Vectors of words that a vocabulary lacks, from those that resemble them: a compound, an
// inflection, a misspelling.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "text/vocabulary.h"

namespace hinny {

// Parts are three to five characters of a word, its ends marked; of Han characters and kana also
// one and two. Immutable; safe to share between threads. Does not keep the vocabulary.
class WordParts {
 public:
  explicit WordParts(const Vocabulary& vocabulary);

  struct Alike {
    std::int32_t id = 0;
    float share = 0;  // of all that are alike; they sum to 1
  };
  // At most kMost words whose parts are the most like the word's (cosine of parts weighted by how
  // few words have them), the most alike first, equal ones by id. None when none is like it.
  std::vector<Alike> alike(std::string_view word) const;

  static constexpr std::size_t kMost = 5;

 private:
  // Parts by hash, each with the words that have it, in order.
  std::vector<std::pair<std::uint32_t, std::int32_t>> words_of_part_;
  std::vector<float> length_;  // of each word's weighted parts; by id
  float weight(std::size_t words) const;
};

}  // namespace hinny
