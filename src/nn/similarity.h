// How close vectors are, as losses compare them.
#pragma once

#include <torch/types.h>

#include "recipe/choices.h"

namespace hinny {

// [a, dim] x [b, dim] -> [a, b], rows of unit length; the larger, the closer:
//   cosine     a . b
//   euclidean  -sqrt(|a - b|^2 + 1e-4), as in MULE's code
//   order      order_similarity; not symmetric
torch::Tensor similarity(const torch::Tensor& a, const torch::Tensor& b, Distance distance,
                         Precision precision = Precision::fp32);

// -|max(0, a - b)|^2 of rows without negative numbers: 0 when a is above b in every coordinate, as
// a caption is above its image (Vendrov et al. 2016, Eq. 2 and 4). [a, dim] x [b, dim] -> [a, b];
// memory stays near that of the result, forward and backward.
torch::Tensor order_similarity(const torch::Tensor& a, const torch::Tensor& b);

}  // namespace hinny
