// A weight matrix as its file stores it, and its products with vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/safetensors.h"

namespace hinny {

// Does not own its numbers.
struct Matrix {
  TensorType type = TensorType::float32;  // or bfloat16, or int8
  const std::byte* data = nullptr;        // [rows, columns]
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::span<const float> scales;  // int8: row r stands for scales[r] times its numbers

  // The rows [first, first + count).
  Matrix part(std::size_t first, std::size_t count) const;
};

// One row in int8, its largest number at 127: row = scale x numbers. Returns the scale.
float to_int8(std::span<const float> row, std::span<std::int8_t> numbers);

// Which end of the matrix comes first. A matrix that is used again and again but does not fit the
// cache is best read back and forth: its last rows are still there.
enum class RowOrder { forward, backward };

// out[t, r] = w[r] . x[t] for `x` [times, columns] and `out` [times, rows], on the calling thread;
// the same whatever the order. For int8 weights, x is rounded to 15 bits first.
void multiply(const Matrix& w, const float* x, std::size_t times, float* out,
              RowOrder order = RowOrder::forward);

// The same, twice as fast for int8 weights: x is rounded to 8 bits.
void multiply_coarsely(const Matrix& w, const float* x, std::size_t times, float* out);

}  // namespace hinny
