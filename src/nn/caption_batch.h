// Captions of one language as tensors.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <span>
#include <vector>

#include "nn/shards.h"

namespace hinny {

// Word ids of several captions laid end to end: no padding is stored or computed.
struct CaptionBatch {
  torch::Tensor ids;        // [tokens] int64
  torch::Tensor offsets;    // [captions] int64: where each caption starts in ids
  torch::Tensor lengths;    // [captions] int64, always on the CPU, each >= 1
  torch::Tensor rows;       // [captions] int64: the row of the caption's image in its batch
  torch::Tensor vectors{};  // [captions, dim], from outside and in place of words; else undefined
  torch::Tensor
      by_machine{};  // [captions] bool, always on the CPU: a machine's; undefined: unknown

  std::int64_t captions() const { return lengths.size(0); }
};

// Captions of a shard, with `rows` as they were.
CaptionBatch shard_of(const CaptionBatch& captions, const Shard& shard);
// Of items laid end to end, a group of them for each of lengths [groups] (on the CPU), those of a
// shard of the groups.
Shard items_of(const torch::Tensor& lengths, const Shard& shard);

// Whole numbers as a tensor, int64 on the CPU.
torch::Tensor positions(std::span<const std::int64_t> numbers);
torch::Tensor positions(std::span<const std::int32_t> numbers);

// Captions of these words, end to end, on the device; the image of each is the row of its place.
CaptionBatch caption_batch(std::span<const std::int64_t> ids, std::span<const std::int64_t> lengths,
                           at::Device device);
CaptionBatch caption_batch(const std::vector<std::vector<std::int32_t>>& captions,
                           at::Device device);

// Captions whose ids are rows of a table of word vectors.
struct CaptionWords {
  torch::Tensor table;  // [words, dim]
  CaptionBatch captions;
};

}  // namespace hinny
