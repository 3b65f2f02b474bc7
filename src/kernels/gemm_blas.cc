// Products by the BLAS library that the program is linked to.
#include <cblas.h>

#include <vector>

#include "kernels/gemm_backend.h"
#include "retrieval/blas_memory.h"

namespace hinny {
namespace {

blasint size_of(std::int64_t value) { return static_cast<blasint>(value); }
CBLAS_TRANSPOSE order(bool transposed) { return transposed ? CblasTrans : CblasNoTrans; }

// BLAS knows no BFloat16: products of its numbers are exact in float, so this gives what the
// processor's own instructions give but for the order of the sums.
std::vector<float> widened(const void* data, std::int64_t rows, std::int64_t columns,
                           std::int64_t stride) {
  const auto* from = static_cast<const BFloat16*>(data);
  std::vector<float> numbers(static_cast<std::size_t>(rows * columns));
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      numbers[static_cast<std::size_t>(row * columns + column)] =
          to_float(from[row * stride + column]);
    }
  }
  return numbers;
}

void multiply_floats(const Product& p) {
  const BlasMemory memory;
  const auto with = [&](auto call, auto one) {
    using T = decltype(one);
    call(CblasRowMajor, order(p.a_transposed), order(p.b_transposed), size_of(p.size.m),
         size_of(p.size.n), size_of(p.size.k), one, static_cast<const T*>(p.a), size_of(p.a_stride),
         static_cast<const T*>(p.b), size_of(p.b_stride), p.accumulate ? one : T{0},
         static_cast<T*>(p.c), size_of(p.c_stride));
  };
  if (p.number == Number::fp64) {
    with(cblas_dgemm, 1.0);
  } else {
    with(cblas_sgemm, 1.0F);
  }
}

// With b widened already: float [k, n] or, transposed, [n, k].
void multiply_widened(const Product& p, const std::vector<float>& b) {
  const auto [m, n, k] = p.size;
  Product wide = p;
  wide.number = Number::fp32;
  wide.a_stride = p.a_transposed ? m : k;
  wide.b_stride = p.b_transposed ? k : n;
  const auto a = widened(p.a, p.a_transposed ? k : m, wide.a_stride, p.a_stride);
  wide.a = a.data();
  wide.b = b.data();
  multiply_floats(wide);
}

std::vector<float> widened_right(const Product& p) {
  const auto [m, n, k] = p.size;
  return widened(p.b, p.b_transposed ? n : k, p.b_transposed ? k : n, p.b_stride);
}

class Widened : public PackedOperand {
 public:
  explicit Widened(const Product& p) : b_(widened_right(p)), transposed_(p.b_transposed) {}
  void multiply(const Product& product) const override {
    Product p = product;
    p.b_transposed = transposed_;
    multiply_widened(p, b_);
  }

 private:
  std::vector<float> b_;
  bool transposed_;
};

class Blas : public GemmBackend {
 public:
  std::string name() const override { return "BLAS"; }
  bool fast_bfloat16() const override { return false; }
  void multiply(const Product& p) const override {
    p.number == Number::bf16 ? multiply_widened(p, widened_right(p)) : multiply_floats(p);
  }
  std::unique_ptr<PackedOperand> pack(const Product& p) const override {
    if (p.number == Number::bf16) return std::make_unique<Widened>(p);
    return nullptr;
  }
};

}  // namespace

std::unique_ptr<GemmBackend> make_blas_backend() { return std::make_unique<Blas>(); }

}  // namespace hinny
