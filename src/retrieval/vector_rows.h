// Vectors in memory.
#pragma once

#include <cstddef>
#include <span>

namespace hinny {

// Rows of one matrix, [rows, dim], C order. Does not own the numbers.
struct VectorRows {
  std::span<const float> values;
  std::size_t rows = 0;
  std::size_t dim = 0;
};

}  // namespace hinny
