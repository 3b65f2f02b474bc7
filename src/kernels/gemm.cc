#include "kernels/gemm.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/error.h"
#include "base/phases.h"
#include "base/threads.h"
#include "kernels/gemm_backend.h"
#include "retrieval/blas_threads.h"

namespace hinny {
namespace {

template <typename T>
constexpr Number kNumber = Number::fp32;
template <>
constexpr Number kNumber<BFloat16> = Number::bf16;
template <>
constexpr Number kNumber<double> = Number::fp64;

struct Backends {
  std::unique_ptr<GemmBackend> blas = make_blas_backend();
  std::unique_ptr<GemmBackend> onednn = make_onednn_backend();
  const GemmBackend* chosen = choose();

  const GemmBackend* choose() const {
    const char* wish = std::getenv("HINNY_GEMM");
    if (wish == nullptr) return onednn ? onednn.get() : blas.get();
    if (std::strcmp(wish, "blas") == 0) return blas.get();
    if (std::strcmp(wish, "onednn") == 0 && onednn) return onednn.get();
    throw InputError(std::string("no products by '") + wish + "' (HINNY_GEMM)",
                     onednn ? "onednn or blas" : "blas");
  }
};

const Backends& backends() {
  static const Backends all;
  return all;
}

// oneDNN has no double precision.
const GemmBackend& backend(Number number) {
  return number == Number::fp64 ? *backends().blas : *backends().chosen;
}

template <typename T>
Product product_of(GemmSize size, Operand<T> a, Operand<T> b, Sum<T>* c, std::int64_t c_stride,
                   bool accumulate) {
  return {kNumber<T>, size,     a.data,       b.data,       c,         a.stride,
          b.stride,   c_stride, a.transposed, b.transposed, accumulate};
}

template <typename T>
const T* skip(const Operand<T>& operand, std::int64_t rows, std::int64_t columns) {
  return operand.transposed ? operand.data + columns * operand.stride + rows
                            : operand.data + rows * operand.stride + columns;
}

template <typename T>
void clear(GemmSize size, T* c, std::int64_t stride) {
  for (std::int64_t row = 0; row < size.m; ++row) std::fill_n(c + row * stride, size.n, T{0});
}

}  // namespace

template <typename T>
void gemm(GemmSize size, Operand<T> a, Operand<T> b, Sum<T>* c, std::int64_t c_stride,
          bool accumulate) {
  if (size.k == 0 && !accumulate) clear(size, c, c_stride);
  if (size.m == 0 || size.n == 0 || size.k == 0) return;
  // Threads share the longer side of the result, in strips that suit the kernels.
  constexpr std::int64_t kStrip = 64;
  const bool by_rows = size.m >= size.n;
  const std::int64_t side = by_rows ? size.m : size.n;
  const auto strips = static_cast<std::size_t>((side + kStrip - 1) / kStrip);
  const OneBlasThreadEach guard;
  const InPhase phase(Phase::products);
  parallel_blocks(strips, [&](std::size_t begin, std::size_t end) {
    const std::int64_t first = static_cast<std::int64_t>(begin) * kStrip;
    const std::int64_t count = std::min(static_cast<std::int64_t>(end) * kStrip, side) - first;
    GemmSize part = size;
    (by_rows ? part.m : part.n) = count;
    const std::int64_t row = by_rows ? first : 0, column = by_rows ? 0 : first;
    Operand<T> a_part = a, b_part = b;
    a_part.data = skip(a, row, 0);
    b_part.data = skip(b, 0, column);
    backend(kNumber<T>)
        .multiply(
            product_of<T>(part, a_part, b_part, c + row * c_stride + column, c_stride, accumulate));
  });
}

template <typename T>
struct PackedMatrix<T>::Packed {
  std::int64_t k, n;
  std::unique_ptr<PackedOperand> operand;
  std::vector<T> copy;  // where the backend does not pack
};

template <typename T>
PackedMatrix<T>::PackedMatrix(std::int64_t k, std::int64_t n, Operand<T> b)
    : packed_(std::make_unique<Packed>()) {
  packed_->k = k;
  packed_->n = n;
  if (k == 0 || n == 0) return;
  Product product = product_of<T>({1, n, k}, {nullptr, k}, b, nullptr, n, false);
  packed_->operand = backend(kNumber<T>).pack(product);
  if (packed_->operand) return;
  packed_->copy.resize(static_cast<std::size_t>(k * n));
  for (std::int64_t row = 0; row < k; ++row) {
    for (std::int64_t column = 0; column < n; ++column) {
      packed_->copy[static_cast<std::size_t>(row * n + column)] = *skip(b, row, column);
    }
  }
}

template <typename T>
PackedMatrix<T>::~PackedMatrix() = default;

template <typename T>
void PackedMatrix<T>::multiply(std::int64_t m, const T* a, std::int64_t a_stride, Sum<T>* c,
                               std::int64_t c_stride, bool accumulate) const {
  const GemmSize size{m, packed_->n, packed_->k};
  if (size.k == 0 && !accumulate) clear(size, c, c_stride);
  if (size.m == 0 || size.n == 0 || size.k == 0) return;
  const Product product =
      product_of<T>(size, {a, a_stride}, {packed_->copy.data(), size.n}, c, c_stride, accumulate);
  const InPhase phase(Phase::products);
  if (packed_->operand) {
    packed_->operand->multiply(product);
  } else {
    backend(kNumber<T>).multiply(product);
  }
}

std::string gemm_backend_name() { return backends().chosen->name(); }
bool bfloat16_pays() { return backends().chosen->fast_bfloat16(); }

std::vector<std::string> gemm_backend_names() {
  std::vector<std::string> names;
  if (backends().onednn) names.emplace_back("onednn");
  names.emplace_back("blas");
  return names;
}

#define HINNY_GEMM_FOR(T)                                                               \
  template void gemm<T>(GemmSize, Operand<T>, Operand<T>, Sum<T>*, std::int64_t, bool); \
  template class PackedMatrix<T>;
HINNY_GEMM_FOR(float)
HINNY_GEMM_FOR(BFloat16)
HINNY_GEMM_FOR(double)
#undef HINNY_GEMM_FOR

}  // namespace hinny
