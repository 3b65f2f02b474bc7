// A matrix that many others are multiplied by, as they are or rounded to bfloat16.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/gemm.h"

namespace hinny {

// What products read. Sums are T in both; doubles are never rounded.
enum class Reads { whole, bfloat16 };

// The right-hand operand b [k, n] of products with few rows each. Keeps a copy; for one thread.
template <typename T>
class Factor {
 public:
  Factor(std::int64_t k, std::int64_t n, Operand<T> b, Reads reads);
  // c [m, n] = a [m, k] b; the rows of a lie end to end.
  void multiply(std::int64_t m, const T* a, T* c, std::int64_t c_stride);

 private:
  std::int64_t k_;
  std::optional<PackedMatrix<T>> whole_;
  std::optional<PackedMatrix<BFloat16>> rounded_;
  std::vector<BFloat16> left_;
};

// c [m, n] += a [k, m] (transposed) b [k, n], on the calling thread's share of the work as gemm has
// it. `scratch` keeps its memory from call to call.
template <typename T>
void add_product_of_columns(GemmSize size, const T* a, const T* b, T* c, Reads reads,
                            std::vector<BFloat16>& scratch);

}  // namespace hinny
