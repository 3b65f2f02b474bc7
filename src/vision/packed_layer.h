// A layer of weights laid out for products with many rows, by the library that makes them fastest.
#pragma once

#include <memory>
#include <string>

#include "kernels/factor.h"
#include "transformer/dense_layer.h"

namespace hinny {

// PREFIX.weight [outputs, inputs], of any type that Weights reads, and PREFIX.bias, whose shapes
// have been checked. Keeps a copy of the weights; `weights` must outlive it for the biases.
// `reads`: what products read of both; sums are float.
std::unique_ptr<DenseLayer> packed_layer(const Weights& weights, const std::string& prefix,
                                         Reads reads);

// What is best of weights that are stored so, on this processor.
Reads best_reads(TensorType stored);

}  // namespace hinny
