#include "encoder/kernels_each.h"
#include "encoder/kernels_floats.h"

namespace hinny {
namespace {

void multiply_i8(const std::int8_t* w, std::size_t rows, std::size_t columns, const std::int8_t* x,
                 std::size_t times, std::int32_t* out) {
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t t = 0; t < times; ++t) {
      std::int32_t sum = 0;
      for (std::size_t i = 0; i < columns; ++i) {
        sum += static_cast<std::int32_t>(w[r * columns + i]) * x[t * columns + i];
      }
      out[t * rows + r] = sum;
    }
  }
}

}  // namespace

const Kernels& portable_kernels() {
  static constexpr Kernels all = {multiply_f32, multiply_bf16, multiply_i8};
  return all;
}

}  // namespace hinny
