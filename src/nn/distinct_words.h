// The words of a batch, each distinct one once: their vectors are formed once.
#pragma once

#include <cstdint>
#include <vector>

#include "nn/caption_batch.h"

namespace hinny {

struct DistinctWords {
  torch::Tensor ids;                  // [distinct] int64, rising
  std::vector<std::int32_t> word_of;  // [tokens] position in `ids`
};

// `ids` [tokens] int64, each in [0, vocabulary); the result is on the CPU.
DistinctWords distinct_words(const torch::Tensor& ids, std::int64_t vocabulary);
// The captions with each word's place among the distinct ones in place of its id.
CaptionBatch renumbered(const CaptionBatch& captions, const DistinctWords& words);

}  // namespace hinny
