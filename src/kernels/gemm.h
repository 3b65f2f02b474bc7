// Products of row-major matrices, by oneDNN or BLAS. T is float, BFloat16 (sums in float) or
// double.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/number.h"

namespace hinny {

// One operand of a product. Not owned. `stride` is the distance between rows as they lie in memory;
// `transposed` says that the product wants columns and rows exchanged.
template <typename T>
struct Operand {
  const T* data = nullptr;
  std::int64_t stride = 0;
  bool transposed = false;
};

struct GemmSize {
  std::int64_t m = 0, n = 0, k = 0;
};

// c[m, n] = a[m, k] b[k, n], added to c when `accumulate`. All threads work on it, except inside
// parallel_blocks. The result depends on the thread count, not on the load. Sizes may be 0.
template <typename T>
void gemm(GemmSize size, Operand<T> a, Operand<T> b, Sum<T>* c, std::int64_t c_stride,
          bool accumulate = false);

// A right-hand operand b[k, n] in the layout that the backend likes best, for many products with
// few rows each. Keeps a copy. Thread-safe; each product runs on the calling thread alone.
template <typename T>
class PackedMatrix {
 public:
  PackedMatrix(std::int64_t k, std::int64_t n, Operand<T> b);
  ~PackedMatrix();
  // c[m, n] = a[m, k] b, or added to c.
  void multiply(std::int64_t m, const T* a, std::int64_t a_stride, Sum<T>* c, std::int64_t c_stride,
                bool accumulate = false) const;

 private:
  struct Packed;
  std::unique_ptr<Packed> packed_;
};

// "oneDNN" or "BLAS": the first that this program and processor have, or what HINNY_GEMM names
// (onednn, blas). Chosen at first use; throws InputError for an unknown name.
std::string gemm_backend_name();
std::vector<std::string> gemm_backend_names();

// Whether products of BFloat16 are clearly faster than of float. Known of the processor, not
// measured: a training's precision must not depend on what else runs.
bool bfloat16_pays();

}  // namespace hinny
