// Stacked cross attention (kernels/cross_attention.h) as a differentiable function of tensors.
#pragma once

#include <torch/types.h>

#include <vector>

#include "kernels/cross_attention.h"

namespace hinny {

// images [images, regions, dim], words [tokens, dim] of the captions end to end, `lengths` adding
// up to tokens -> [images, captions], differentiable (once) in images and words. Tensors of float
// or double on the CPU go through the kernels, all others through composed_attention_scores.
torch::Tensor attention_scores(const CrossAttention& attention, const torch::Tensor& images,
                               const torch::Tensor& words,
                               const std::vector<std::int64_t>& lengths);

// The same by libtorch's operations on any device, one caption at a time: holds
// [images, words, dim] and, while gradients are wanted, that of every caption.
torch::Tensor composed_attention_scores(const CrossAttention& attention,
                                        const torch::Tensor& images, const torch::Tensor& words,
                                        const std::vector<std::int64_t>& lengths);

}  // namespace hinny
