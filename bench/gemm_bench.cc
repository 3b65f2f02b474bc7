// The products of trainings, by shape: GFLOP/s, to be held against the largest of the same
// precision.
//   HINNY_THREADS=1 bench_gemm
#include <benchmark/benchmark.h>

#include <vector>

#include "base/threads.h"
#include "kernels/gemm.h"

namespace hinny {
namespace {

struct Shape {
  const char* name;
  GemmSize size;
  bool a_transposed, b_transposed, accumulate;
};

// y = x W^T, dx = g W, dW = g^T x of a layer.
constexpr Shape kShapes[] = {
    {"square", {2048, 2048, 2048}, false, false, false},
    {"bag, fc1 forward", {512, 2048, 3840}, false, true, false},
    {"bag, fc1 weights", {2048, 3840, 512}, true, false, false},
    {"bag, fc2 forward", {512, 512, 2048}, false, true, false},
    {"bag, fc2 back", {512, 2048, 512}, false, false, false},
    {"bag, fc2 weights", {512, 2048, 512}, true, false, false},
    {"bag, similarity", {512, 512, 512}, false, true, false},
    {"bag, similarity back", {512, 512, 512}, true, false, false},
    {"hinny, projection", {512, 512, 256}, false, true, false},
    {"vse, words", {700, 3072, 300}, false, true, true},
    {"vse, words back", {3072, 300, 700}, true, false, false},
    {"vse, words' gradient", {700, 300, 3072}, false, false, false},
    {"vse, weights", {3072, 1024, 1500}, true, false, true},
    {"vse, images", {128, 1024, 2048}, false, true, false},
    {"vse, images' weights", {1024, 2048, 128}, true, false, false},
};

template <typename T>
void product(benchmark::State& state, const Shape& shape) {
  const auto [m, n, k] = shape.size;
  const std::vector<T> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
  std::vector<float> c(static_cast<std::size_t>(m * n));
  const Operand<T> left{a.data(), shape.a_transposed ? m : k, shape.a_transposed};
  const Operand<T> right{b.data(), shape.b_transposed ? k : n, shape.b_transposed};
  for (auto _ : state) gemm<T>(shape.size, left, right, c.data(), n, shape.accumulate);
  state.counters["GFLOP/s"] = benchmark::Counter(2e-9 * static_cast<double>(m * n * k),
                                                 benchmark::Counter::kIsIterationInvariantRate);
}

template <typename T>
void packed(benchmark::State& state, std::int64_t rows) {
  constexpr std::int64_t kInner = 1024, kColumns = 3072;
  const std::vector<T> b(kInner * kColumns);
  const PackedMatrix<T> matrix(kInner, kColumns, {b.data(), kInner, true});
  const auto threads = static_cast<std::size_t>(thread_count());
  std::vector<std::vector<T>> a(threads, std::vector<T>(static_cast<std::size_t>(rows * kInner)));
  std::vector<std::vector<float>> c(threads,
                                    std::vector<float>(static_cast<std::size_t>(rows * kColumns)));
  for (auto _ : state) {
    parallel_blocks(threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        matrix.multiply(rows, a[i].data(), kInner, c[i].data(), kColumns);
      }
    });
  }
  state.counters["GFLOP/s"] = benchmark::Counter(
      2e-9 * static_cast<double>(threads) * static_cast<double>(rows * kInner * kColumns),
      benchmark::Counter::kIsIterationInvariantRate);
}

template <typename T>
void add(const char* precision) {
  for (const Shape& shape : kShapes) {
    benchmark::RegisterBenchmark((std::string(precision) + "/" + shape.name).c_str(),
                                 [&shape](benchmark::State& state) { product<T>(state, shape); })
        ->UseRealTime();
  }
  for (const std::int64_t rows : {4, 8, 16, 32, 64, 128, 256}) {
    benchmark::RegisterBenchmark(
        (std::string(precision) + "/recurrent step, rows a thread/" + std::to_string(rows)).c_str(),
        [rows](benchmark::State& state) { packed<T>(state, rows); })
        ->UseRealTime();
  }
}

const bool kAdded = (add<float>("fp32"), add<BFloat16>("bf16"), true);

}  // namespace
}  // namespace hinny
