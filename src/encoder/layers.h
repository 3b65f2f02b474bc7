// The last part of both branches: linear, batch_norm, relu, l2, abs, and pooling.
#pragma once

#include <cstddef>
#include <vector>

#include "model/model_config.h"
#include "tensors/weights.h"

namespace hinny {

// Checks the layers' tensors against each other, starting from rows of `input` numbers, and
// returns the size of the rows that come out. Throws InputError.
std::size_t check_layers(const Weights& weights, const std::vector<LayerSpec>& layers,
                         std::size_t input);

// What was pooled.
struct PooledItems {
  std::vector<float> items;      // [count, numbers], before the pooling
  std::vector<float> attention;  // [count], what each item counted for in its group
};

// `rows` [count, input] -> [count, output], or [count / each, output] where a layer pools groups of
// `each` rows, which `pooled` then keeps unless it is null. The layers have been checked. A row's
// results depend on its numbers (its group's) alone. Up to kFewRows rows are computed on the
// calling thread alone, more with thread_count() threads.
constexpr std::size_t kFewRows = 64;
std::vector<float> apply_layers(const Weights& weights, const std::vector<LayerSpec>& layers,
                                std::vector<float> rows, std::size_t count, std::size_t each = 1,
                                PooledItems* pooled = nullptr);

}  // namespace hinny
