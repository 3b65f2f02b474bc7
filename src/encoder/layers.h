// The last part of both branches: linear, batch_norm, relu, l2, abs.
#pragma once

#include <cstddef>
#include <vector>

#include "encoder/model_config.h"
#include "encoder/weights.h"

namespace hinny {

// Checks the layers' tensors against each other, starting from rows of `input` numbers, and
// returns the size of the rows that come out. Throws InputError.
std::size_t check_layers(const Weights& weights, const std::vector<LayerSpec>& layers,
                         std::size_t input);

// `rows` [count, input] -> [count, output]. The layers have been checked. One row is computed on
// the calling thread alone, several with thread_count() threads.
std::vector<float> apply_layers(const Weights& weights, const std::vector<LayerSpec>& layers,
                                std::vector<float> rows, std::size_t count);

}  // namespace hinny
