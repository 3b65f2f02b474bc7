// The graph beside the exact search in a million vectors of 512 numbers. Building it takes minutes:
// HINNY_BENCH_ROWS chooses fewer.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdio>
#include <set>

#include "base/content_hash.h"
#include "base/threads.h"
#include "bench/collection.h"
#include "index/vectors/graph.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

constexpr std::size_t kHits = 10;

const DrawnVectors& collection() {
  static const DrawnVectors all(collection_rows());
  return all;
}

const Graph& graph() {
  static const Scratch folder;
  static const Graph built = [] {
    const auto start = std::chrono::steady_clock::now();
    Graph::build(collection().scan(), folder / "graph");
    std::printf("graph: %zu rows linked in %.0f s\n", collection_rows(),
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return Graph::open(folder / "graph", content_hash(folder / "graph"), collection().scan());
  }();
  return built;
}

std::span<const float> query(std::size_t q) {
  return std::span(collection().queries).subspan(q % kQueries * kCollectionDim, kCollectionDim);
}

void by_graph(benchmark::State& state) {
  const DrawnVectors& c = collection();
  const Graph& g = graph();
  set_thread_count(1);
  const auto width = static_cast<std::size_t>(state.range(0));
  std::size_t q = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(best_rows(g.nearest(query(q), width), c.vectors, query(q), kHits));
    ++q;
  }
  double right = 0;
  for (q = 0; q < kQueries; ++q) {
    std::set<std::size_t> best;
    const auto exact_hits = top_hits(c.scan(), c.vectors, query(q), kHits);
    for (const Hit& hit : exact_hits[0]) best.insert(hit.image);
    for (const Hit& hit : best_rows(g.nearest(query(q), width), c.vectors, query(q), kHits)) {
      right += best.contains(hit.image) ? 1 : 0;
    }
  }
  state.counters["recall@10"] = right / (kQueries * kHits);
}

void exact(benchmark::State& state) {
  const DrawnVectors& c = collection();
  set_thread_count(1);
  std::size_t q = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(top_hits(c.scan(), c.vectors, query(q++), kHits));
  }
}

BENCHMARK(exact)->Name("search/exact")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(by_graph)
    ->Name("search/graph/width")
    ->RangeMultiplier(2)
    ->Range(160, 2560)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

}  // namespace
}  // namespace hinny
