#include "encoder/kernels.h"

#include "base/every_processor.h"

namespace hinny {
namespace {

constexpr std::size_t kLanes = 16;
constexpr std::size_t kRows = 4;  // at once, so that one sum need not wait for another

// Sixteen partial sums: the compiler maps them to one, two or four registers.
using Lanes
    [[gnu::vector_size(kLanes * sizeof(float)), gnu::aligned(sizeof(float)), gnu::may_alias]] =
        float;

// R rows at once. The order of additions within a row is the same for every R.
template <std::size_t R>
[[gnu::always_inline]] inline void dot_rows(const float* w, std::size_t columns, const float* x,
                                            float* out) {
  Lanes sums[R] = {};
  std::size_t i = 0;
  for (; i + kLanes <= columns; i += kLanes) {
    const Lanes part = *reinterpret_cast<const Lanes*>(x + i);
    for (std::size_t r = 0; r < R; ++r) {
      sums[r] += *reinterpret_cast<const Lanes*>(w + r * columns + i) * part;
    }
  }
  for (std::size_t r = 0; r < R; ++r) {
    float sum = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane) sum += sums[r][lane];
    for (std::size_t rest = i; rest < columns; ++rest) sum += w[r * columns + rest] * x[rest];
    out[r] = sum;
  }
}

}  // namespace

HINNY_EVERY_PROCESSOR
void multiply_each(const float* w, std::size_t rows, std::size_t columns, const float* x,
                   std::size_t times, float* out) {
  std::size_t r = 0;
  for (; r + kRows <= rows; r += kRows) {
    for (std::size_t t = 0; t < times; ++t) {
      dot_rows<kRows>(w + r * columns, columns, x + t * columns, out + t * rows + r);
    }
  }
  for (; r < rows; ++r) {
    for (std::size_t t = 0; t < times; ++t) {
      dot_rows<1>(w + r * columns, columns, x + t * columns, out + t * rows + r);
    }
  }
}

void multiply(const float* w, std::size_t rows, std::size_t columns, const float* x, float* out) {
  multiply_each(w, rows, columns, x, 1, out);
}

}  // namespace hinny
