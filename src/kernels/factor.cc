#include "kernels/factor.h"

#include <type_traits>

#include "base/every_processor.h"

namespace hinny {
namespace {

// A product of doubles has no other form.
template <typename T>
constexpr bool kRounds = std::is_same_v<T, float>;

// On the widest registers that there are.
[[gnu::always_inline]] inline void round_each(const float* from, std::size_t count, BFloat16* to) {
  convert(from, count, to);
}

BFloat16* rounded(const float* from, std::int64_t count, std::vector<BFloat16>& to) {
  if (to.size() < static_cast<std::size_t>(count)) to.resize(static_cast<std::size_t>(count));
  on_this_processor<round_each>(from, static_cast<std::size_t>(count), to.data());
  return to.data();
}

}  // namespace

template <typename T>
Factor<T>::Factor(std::int64_t k, std::int64_t n, Operand<T> b, Reads reads) : k_(k) {
  if constexpr (kRounds<T>) {
    if (reads == Reads::bfloat16) {
      const std::int64_t rows = b.transposed ? n : k;
      const BFloat16* data = rounded(b.data, rows * b.stride, left_);
      rounded_.emplace(k, n, Operand<BFloat16>{data, b.stride, b.transposed});
      return;
    }
  }
  whole_.emplace(k, n, b);
}

template <typename T>
void Factor<T>::multiply(std::int64_t m, const T* a, T* c, std::int64_t c_stride) {
  if constexpr (kRounds<T>) {
    if (rounded_) return rounded_->multiply(m, rounded(a, m * k_, left_), k_, c, c_stride);
  }
  whole_->multiply(m, a, k_, c, c_stride);
}

template <typename T>
void add_product_of_columns(GemmSize size, const T* a, const T* b, T* c, Reads reads,
                            std::vector<BFloat16>& scratch) {
  if constexpr (kRounds<T>) {
    if (reads == Reads::bfloat16) {
      const std::int64_t numbers = size.k * size.m, others = size.k * size.n;
      scratch.resize(static_cast<std::size_t>(numbers + others));
      BFloat16* left = scratch.data();
      on_this_processor<round_each>(a, static_cast<std::size_t>(numbers), left);
      on_this_processor<round_each>(b, static_cast<std::size_t>(others), left + numbers);
      gemm<BFloat16>(size, {left, size.m, true}, {left + numbers, size.n}, c, size.n,
                     /*accumulate=*/true);
      return;
    }
  }
  gemm<T>(size, {a, size.m, true}, {b, size.n}, c, size.n, /*accumulate=*/true);
}

template class Factor<float>;
template void add_product_of_columns(GemmSize, const float*, const float*, float*, Reads,
                                     std::vector<BFloat16>&);
template class Factor<double>;
template void add_product_of_columns(GemmSize, const double*, const double*, double*, Reads,
                                     std::vector<BFloat16>&);

}  // namespace hinny
