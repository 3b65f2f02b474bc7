// Rows of a group (the words of a sentence, the regions of a picture) -> one row: the layers
// `mean`, `context` and `memory` of docs/formats/model.md.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/model_config.h"
#include "tensors/weights.h"

namespace hinny {

bool pools(const LayerSpec& layer);

// Numbers of the pooled row, from rows of `input` numbers. Throws InputError for tensors that do
// not fit.
std::size_t check_pooling(const Weights& weights, const LayerSpec& layer, std::size_t input);

// Their names.
std::vector<std::string> pooling_tensors(const LayerSpec& layer);

struct Pooled {
  std::vector<float> rows;       // [groups, numbers]
  std::vector<float> attention;  // [groups, each]: what each row counted for, 1 together in a group
};

// `rows` [groups, each, numbers], `each` at least 1. The tensors have been checked.
Pooled pool(const Weights& weights, const LayerSpec& layer, std::span<const float> rows,
            std::size_t groups, std::size_t each);

}  // namespace hinny
