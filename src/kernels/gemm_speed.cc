#include "kernels/gemm_speed.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "kernels/gemm.h"

namespace hinny {

template <typename T>
double gemm_gflops() {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kRows = 256, kInner = 1024, kColumns = 4096;
  const std::vector<T> a(kRows * kInner), b(kInner * kColumns);
  std::vector<float> c(kRows * kColumns);
  const PackedMatrix<T> packed(kInner, kColumns, {b.data(), kColumns});
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    const auto start = Clock::now();
    packed.multiply(kRows, a.data(), kInner, c.data(), kColumns);
    best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
  }
  return 2.0 * kRows * kInner * kColumns / best / 1e9;
}
template double gemm_gflops<float>();
template double gemm_gflops<BFloat16>();

}  // namespace hinny
