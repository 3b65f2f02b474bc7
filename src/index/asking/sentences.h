// The other direction: pictures -> the sentences that fit them best.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/npy.h"
#include "data/dataset.h"
#include "encoder/read_sentences.h"
#include "index/asking/read_question.h"

namespace hinny {

struct SentenceHit {
  std::string language;
  std::string text;
  float score = 0;
};

// What store_sentences (index/folder/stored_sentences.h) left in an index. Immutable; safe to share
// between threads.
class StoredSentences {
 public:
  // None where the index keeps none. Throws InputError for files that are broken.
  explicit StoredSentences(const Index& index);

  // The best for one of the same index's images in each language, best first, languages in the
  // model's order. Throws RequestError for an image that is not there.
  std::vector<SentenceHit> nearest(const Index& index, std::size_t image,
                                   std::size_t per_language) const;

 private:
  std::vector<Sentence> sentences_;
  std::optional<NpyArray> vectors_;  // [sentences, dim], where the index keeps some
};

// The `k` best of the given sentences for a picture. Each sentence's language is guessed unless
// given; one without a known word is left out. Throws RequestError for broken UTF-8 and a language
// that the model lacks.
std::vector<SentenceHit> best_sentences(const Index& index, const SeenPicture& picture,
                                        std::span<const std::string> sentences,
                                        const std::string& language, std::size_t k);

}  // namespace hinny
