#include "retrieval/dot_kernels_codes.h"
#include "retrieval/dot_kernels_each.h"
#include "retrieval/dot_kernels_floats.h"
#if defined(__x86_64__)
#include "retrieval/dot_kernels_bytes.h"
#elif defined(__aarch64__)
#include "retrieval/dot_kernels_neon.h"
#endif

namespace hinny {
#if !defined(__x86_64__) && !defined(__aarch64__)
namespace {

std::int32_t product_i8(const std::int8_t* w, const std::int8_t* x, std::size_t columns) {
  std::int32_t sum = 0;
  for (std::size_t i = 0; i < columns; ++i) sum += static_cast<std::int32_t>(w[i]) * x[i];
  return sum;
}

void multiply_i8(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
                 std::size_t times, std::int32_t* out) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t t = 0; t < times; ++t) {
      out[t * rows + r] = product_i8(w + r * columns, x + t * columns, columns);
    }
  }
}

void multiply_i8_apart(const std::int8_t* const* w, std::size_t rows, std::size_t columns,
                       const std::int8_t* x, std::int32_t* out) {
  for (std::size_t r = 0; r < rows; ++r) out[r] = product_i8(w[r], x, columns);
}

}  // namespace
#endif

const DotKernels& portable_kernels() {
  static constexpr DotKernels all = {multiply_f32, multiply_bf16, multiply_i8, multiply_i8_apart,
                                     multiply_codes};
  return all;
}

}  // namespace hinny
