// Stacked cross attention (kernels/cross_attention.h) as a differentiable function of tensors.
#pragma once

#include <torch/types.h>

#include <vector>

#include "kernels/cross_attention.h"
#include "recipe/choices.h"

namespace hinny {

// images [images, regions, dim], words [tokens, dim] of the captions end to end, `lengths` adding
// up to tokens -> [images, captions], differentiable (once) in images and words. Tensors of float
// or double on the CPU go through the kernels, all others through
// batched_attention_scores (nn/batched_attention.h). `precision`: of their products, where
// gradients are wanted.
torch::Tensor attention_scores(const CrossAttention& attention, const torch::Tensor& images,
                               const torch::Tensor& words, const std::vector<std::int64_t>& lengths,
                               Precision precision = Precision::fp32);

}  // namespace hinny
