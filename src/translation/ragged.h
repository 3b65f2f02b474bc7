// Sentences of different lengths, end to end or padded to the longest.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <vector>

#include "nn/caption_batch.h"

namespace hinny {

class Ragged {
 public:
  explicit Ragged(const torch::Tensor& lengths);  // [sentences] int64 on the CPU, each >= 1

  std::int64_t longest() const { return longest_; }
  const torch::Tensor& lengths() const { return lengths_; }
  torch::Tensor first() const { return first_; }  // [sentences] the first word's place of each
  torch::Tensor last() const { return first_ + lengths_ - 1; }
  torch::Tensor mask() const;  // [sentences, longest] 0, or -infinity after the end
  // [tokens, dim] -> [sentences, longest, dim], 0 after the end; and back.
  torch::Tensor pad(const torch::Tensor& tokens) const;
  torch::Tensor packed(const torch::Tensor& padded) const;

 private:
  torch::Tensor lengths_, first_;
  torch::Tensor within_;  // [sentences, longest] bool
  torch::Tensor places_;  // [tokens] where each token is when padded, [sentences * longest]
  std::int64_t longest_ = 0;
};

// Whole numbers as a tensor, int64 on the CPU.
torch::Tensor positions(const std::vector<std::int64_t>& numbers);
torch::Tensor positions(const std::vector<std::int32_t>& numbers);

// Captions of these words, on the device.
CaptionBatch caption_batch(const std::vector<std::vector<std::int32_t>>& sentences,
                           at::Device device);

// Each sentence `times` times, one after the other; before its words, an id of its own from
// `first_id` on.
CaptionBatch repeated_after(const CaptionBatch& captions, std::int64_t times,
                            std::int64_t first_id);
// Before each sentence's words an id of its own from `first_id` on, in place of its last word.
CaptionBatch shifted(const CaptionBatch& captions, std::int64_t first_id);

}  // namespace hinny
