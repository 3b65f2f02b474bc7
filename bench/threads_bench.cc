// What it costs to share a loop out: a call of parallel_blocks whose blocks do nothing, and one
// whose blocks do as much as a small product.
#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/threads.h"

namespace hinny {
namespace {

// Computes on this thread for about `count` nanoseconds.
void work(std::int64_t count) {
  for (std::int64_t i = 0; i < count; ++i) benchmark::DoNotOptimize(i);
}

// Arguments: threads, work of one block, microseconds in which the caller does something else.
void share_out(benchmark::State& state) {
  set_thread_count(static_cast<int>(state.range(0)));
  const auto blocks = static_cast<std::size_t>(state.range(0));
  const std::chrono::microseconds apart(state.range(2));
  for (auto _ : state) {
    parallel_blocks(blocks, [&](std::size_t, std::size_t) { work(state.range(1)); });
    if (apart.count() == 0) continue;
    state.PauseTiming();
    std::this_thread::sleep_for(apart);
    state.ResumeTiming();
  }
}

BENCHMARK(share_out)
    ->Name("parallel_blocks")
    ->ArgNames({"threads", "work", "apart_us"})
    ->ArgsProduct({{1, 2, 4}, {0, 100000}, {0}})
    ->Args({2, 0, 1000})
    ->UseRealTime();

}  // namespace
}  // namespace hinny
