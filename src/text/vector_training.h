// Word vectors from the captions themselves, by fastText's skip-gram with character n-grams.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "text/tokenizer.h"
#include "text/word_vectors.h"

namespace hinny {

struct VectorTrainingOptions {
  int dim = 300;
  int epochs = 5;
  std::int64_t min_count = 1;  // rarer words get no vector
  std::uint32_t seed = 1;
  TokenizerOptions tokenizer = {};
};

// A vector for every word of `captions` (UTF-8, as given) seen min_count times, the frequent ones
// first. One thread, so that equal captions, options and seed give equal vectors on one machine;
// languages can be trained side by side. `progress` hears of the share done, 0 to 1. Throws
// InputError when no word is left, Interrupted after Ctrl-C.
WordVectors train_word_vectors(std::span<const std::string_view> captions,
                               const std::string& language, const VectorTrainingOptions& options,
                               const std::function<void(double share)>& progress = {});

}  // namespace hinny
