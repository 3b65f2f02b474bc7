// Late interaction (Khattab and Zaharia 2020, ColBERT): each word finds the region that is nearest
// to it, and a caption's score is the sum of what its words found.
#pragma once

#include <torch/types.h>

#include "recipe/choices.h"

namespace hinny {

// For each word w (any length but 0) and picture, with r its regions (unit length) and l the
// sharpness: m = 1/l log mean_r exp(l cos(w, r)), between the mean and the maximum of the cosines;
// a caption scores sum_w |w| m / sqrt(sum_w |w|^2), so that long words count for more.
// words [tokens, dim] of the captions end to end, lengths [captions] int64 on the CPU that add up
// to tokens, regions [images, regions, dim] -> [captions, images], differentiable (once) in both.
// Memory: tokens x images x regions numbers.
torch::Tensor late_scores(const torch::Tensor& words, const torch::Tensor& lengths,
                          const torch::Tensor& regions, double sharpness,
                          Precision precision = Precision::fp32);

}  // namespace hinny
