// The other direction: pictures -> the sentences that fit them best.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "index/ask.h"

namespace hinny {

struct SentenceHit {
  std::string language;
  std::string text;
  float score = 0;
};

// Keeps up to `per_language` captions of these images, spread evenly over them, with their vectors:
// sentences.jsonl and sentences.npy in `folder`. Writes nothing when that makes none. Shows
// progress.
void keep_sentences(const Model& model, const Dataset& dataset, const std::vector<int>& images,
                    std::size_t per_language, const std::filesystem::path& folder);

// Of the sentences that the index keeps, the best for one of its images in each language, best
// first, languages in the model's order. Empty when it keeps none. Throws InputError for an image
// that is not there and for files that are broken.
std::vector<SentenceHit> nearest_sentences(const Index& index, std::size_t image,
                                           std::size_t per_language);

// The `k` best of the given sentences for a picture (a Question::Part without text). Each
// sentence's language is guessed unless given; one without a known word is left out. Throws
// InputError as ask() does.
std::vector<SentenceHit> best_sentences(const Index& index, const Question::Part& picture,
                                        std::span<const std::string> sentences,
                                        const std::string& language, std::size_t k);

}  // namespace hinny
