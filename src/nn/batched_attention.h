// Stacked cross attention by libtorch's operations, for devices and types that have no kernel here.
#pragma once

#include <torch/types.h>

#include <vector>

#include "model/attention.h"

namespace hinny {

// As attention_scores (nn/cross_attention.h), on any device. What a query sees is never formed here
// either (kernels/cross_attention.h). Captions are padded to the longest of those taken at once, so
// many that a table of [images, regions, captions, words] has at most 2^26 numbers; some ten of
// those are held for all captions while gradients are wanted.
torch::Tensor batched_attention_scores(const CrossAttention& attention, const torch::Tensor& images,
                                       const torch::Tensor& words,
                                       const std::vector<std::int64_t>& lengths);

}  // namespace hinny
