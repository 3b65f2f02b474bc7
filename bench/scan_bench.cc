// Exact search in a million vectors of 512 numbers, beside a plain read of the same bytes.
// HINNY_BENCH_ROWS chooses fewer.
#include <benchmark/benchmark.h>

#include <cstring>
#include <numeric>
#include <set>

#include "base/every_processor.h"
#include "base/threads.h"
#include "bench/collection.h"
#include "index/vectors/scan.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

const DrawnVectors& collection() {
  static const DrawnVectors all(collection_rows());
  return all;
}

// Eight of the widest vectors at a time, and the same with the way `ahead` of them prepared.
[[gnu::always_inline]] inline std::uint64_t sum_of(std::span<const std::int8_t> all,
                                                   std::size_t ahead) {
  constexpr std::size_t kWords = 64;
  std::uint64_t sums[kWords] = {};
  for (std::size_t i = 0; i + sizeof sums <= all.size(); i += sizeof sums) {
    for (std::size_t j = 0; ahead > 0 && j < sizeof sums; j += 64) {
      __builtin_prefetch(all.data() + i + ahead + j);
    }
    std::uint64_t part[kWords];
    std::memcpy(part, all.data() + i, sizeof part);
    for (std::size_t j = 0; j < kWords; ++j) sums[j] += part[j];
  }
  return std::accumulate(std::begin(sums), std::end(sums), std::uint64_t{0});
}

void plain_read(benchmark::State& state) {
  const DrawnVectors& c = collection();
  for (auto _ : state)
    benchmark::DoNotOptimize(
        on_this_processor<sum_of>(std::span(c.bytes), static_cast<std::size_t>(state.range(0))));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(c.bytes.size()));
}

benchmark::Counter products(std::size_t each) {
  return {static_cast<double>(each), benchmark::Counter::kIsIterationInvariantRate};
}

void exact_search(benchmark::State& state) {
  const DrawnVectors& c = collection();
  const auto count = static_cast<std::size_t>(state.range(0));
  set_thread_count(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        top_hits(c.scan(), c.vectors, std::span(c.queries).first(count * kCollectionDim), 10));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(c.bytes.size()));
  state.counters["queries/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["products/s"] = products(count * c.bytes.size());
}

// The kernel by itself, again and again over rows that stay in the second cache: the floor of a
// scan for many queries.
void kernel_alone(benchmark::State& state) {
  constexpr std::size_t kRows = 256;
  const DrawnVectors& c = collection();
  const std::vector<std::int8_t> queries(c.bytes.begin(),
                                         c.bytes.begin() + kQueries * kCollectionDim);
  std::vector<std::int32_t> sums(kQueries * kRows);
  for (auto _ : state) {
    dot_kernels().i8(c.bytes.data(), kRows, kCollectionDim, queries.data(), kQueries, sums.data());
    benchmark::DoNotOptimize(sums.data());
    benchmark::ClobberMemory();
  }
  state.counters["products/s"] = products(kRows * kCollectionDim * kQueries);
}

// Of the ten best by the full vectors, how many the scan finds: 64 queries.
void recall(benchmark::State& state) {
  const DrawnVectors& c = collection();
  constexpr std::size_t kHits = 10;
  double right = 0;
  for (auto _ : state) {
    const auto found = top_hits(c.scan(), c.vectors, c.queries, kHits);
    // Candidates for as many hits as there are rows would be all rows: a wide search is exact.
    const auto wanted = top_hits(c.scan(), c.vectors, c.queries, 5000);
    for (std::size_t q = 0; q < found.size(); ++q) {
      std::set<std::size_t> best;
      for (std::size_t i = 0; i < kHits; ++i) best.insert(wanted[q][i].image);
      for (const Hit& hit : found[q]) right += best.contains(hit.image) ? 1 : 0;
    }
    right /= static_cast<double>(found.size() * kHits);
  }
  state.counters["recall@10"] = right;
}

BENCHMARK(kernel_alone)->Name("scan/kernel/64")->Unit(benchmark::kMicrosecond);
BENCHMARK(plain_read)
    ->Name("scan/plain_read/ahead")
    ->Arg(0)
    ->Arg(2048)
    ->Arg(8192)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(exact_search)
    ->Name("scan/queries")
    ->Arg(1)
    ->Arg(8)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(recall)->Name("scan/recall")->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hinny
