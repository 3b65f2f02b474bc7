#include "tensors/matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/half.h"
#include "retrieval/dot_kernels.h"
#include "tensors/rounding.h"

namespace hinny {
namespace {

constexpr std::size_t kBlockRows = 64;
constexpr std::size_t kWorthWidening = 8;  // vectors: so often a row would be widened

// Calls work(first, count) for blocks of rows.
template <typename Work>
void for_each_block(std::size_t rows, RowOrder order, const Work& work) {
  const std::size_t blocks = (rows + kBlockRows - 1) / kBlockRows;
  for (std::size_t i = 0; i < blocks; ++i) {
    const std::size_t first = (order == RowOrder::forward ? i : blocks - 1 - i) * kBlockRows;
    work(first, std::min(kBlockRows, rows - first));
  }
}

void multiply_int8(const Matrix& w, const float* x, std::size_t times, float* out, RowOrder order) {
  std::vector<std::int8_t> parts(times * 2 * w.columns);
  std::vector<float> scales(times);
  for (std::size_t t = 0; t < times; ++t) {
    std::int8_t* const high = parts.data() + t * 2 * w.columns;
    scales[t] = split(x + t * w.columns, w.columns, high, high + w.columns);
  }
  std::vector<std::int32_t> sums(times * 2 * kBlockRows);
  for_each_block(w.rows, order, [&](std::size_t first, std::size_t count) {
    dot_kernels().i8(reinterpret_cast<const std::int8_t*>(w.data) + first * w.columns, count,
                     w.columns, parts.data(), times * 2, sums.data());
    for (std::size_t t = 0; t < times; ++t) {
      const std::int32_t* const high = sums.data() + t * 2 * count;
      join(high, high + count, scales[t], w.scales.data() + first, count, out + t * w.rows + first);
    }
  });
}

void multiply_bytes(const Matrix& w, const float* x, std::size_t times, float* out) {
  std::vector<std::int8_t> numbers(times * w.columns);
  std::vector<float> scales(times);
  for (std::size_t t = 0; t < times; ++t) {
    scales[t] = narrow(x + t * w.columns, w.columns, numbers.data() + t * w.columns);
  }
  std::vector<std::int32_t> sums(times * kBlockRows);
  for_each_block(w.rows, RowOrder::forward, [&](std::size_t first, std::size_t count) {
    dot_kernels().i8(reinterpret_cast<const std::int8_t*>(w.data) + first * w.columns, count,
                     w.columns, numbers.data(), times, sums.data());
    for (std::size_t t = 0; t < times; ++t) {
      scale_each(sums.data() + t * count, scales[t], w.scales.data() + first, count,
                 out + t * w.rows + first);
    }
  });
}

void multiply_floats(const Matrix& w, const float* x, std::size_t times, float* out,
                     RowOrder order) {
  const std::size_t row_bytes = w.columns * bytes_per_number(w.type);
  const bool halves = w.type == TensorType::bfloat16;
  const bool widens = halves && times >= kWorthWidening;
  std::vector<float> block(times * kBlockRows), widened(widens ? kBlockRows * w.columns : 0);
  for_each_block(w.rows, order, [&](std::size_t first, std::size_t count) {
    const std::byte* const rows = w.data + first * row_bytes;
    if (halves && !widens) {
      dot_kernels().bf16(rows, count, w.columns, x, times, block.data());
    } else {
      if (widens) {
        bfloat16s_to_floats({rows, count * row_bytes}, std::span(widened).first(count * w.columns));
      }
      const auto* floats = widens ? widened.data() : reinterpret_cast<const float*>(rows);
      dot_kernels().f32(floats, count, w.columns, x, times, block.data());
    }
    for (std::size_t t = 0; t < times; ++t) {
      std::copy_n(block.data() + t * count, count, out + t * w.rows + first);
    }
  });
}

}  // namespace

Matrix Matrix::part(std::size_t first, std::size_t count) const {
  return {type, data + first * columns * bytes_per_number(type), count, columns,
          scales.empty() ? scales : scales.subspan(first, count)};
}

float to_int8(std::span<const float> row, std::span<std::int8_t> numbers) {
  float largest = 0;
  for (const float x : row) largest = std::max(largest, std::fabs(x));
  const float inverse = largest > 0 ? 127 / largest : 0.0F;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float rounded = std::rint(row[i] * inverse);
    numbers[i] = static_cast<std::int8_t>(std::isfinite(rounded) ? rounded : 0.0F);
  }
  return largest / 127;
}

void multiply(const Matrix& w, const float* x, std::size_t times, float* out, RowOrder order) {
  if (w.type == TensorType::int8) {
    multiply_int8(w, x, times, out, order);
  } else {
    multiply_floats(w, x, times, out, order);
  }
}

void multiply_coarsely(const Matrix& w, const float* x, std::size_t times, float* out) {
  if (w.type == TensorType::int8) {
    multiply_bytes(w, x, times, out);
  } else {
    multiply_floats(w, x, times, out, RowOrder::forward);
  }
}

}  // namespace hinny
