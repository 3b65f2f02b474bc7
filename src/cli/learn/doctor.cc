// hinny-learn doctor: what `hinny doctor` asks of the program that trains, a line per check: mark,
// name and finding with tabs between.
#include <fmt/format.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/threads.h"
#include "cli/verb.h"
#include "kernels/gemm.h"

namespace hinny {
namespace {

// The best of a few products, of the size that a training step is made of.
template <typename T>
double gigaflops() {
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

std::function<int()> declare(CLI::App&) {
  return [] {
    const double single = gigaflops<float>(), half = gigaflops<BFloat16>();
    fmt::print("ok\tproducts\t{}; fp32 {:.0f}, bf16 {:.0f} GFLOP/s a core{}\n", gemm_backend_name(),
               single, half,
               half < single ? ": precision = \"bf16\" gains nothing on this processor" : "");
    fmt::print("ok\tlibtorch\t{}\n", TORCH_VERSION);
    return 0;
  };
}

const RegisterVerb registered{"doctor", declare};

}  // namespace
}  // namespace hinny
