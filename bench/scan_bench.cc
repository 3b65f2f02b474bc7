// Exact search in a million vectors of 512 numbers, beside a plain read of the same bytes.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstring>
#include <set>

#include "base/random.h"
#include "base/threads.h"
#include "index/scan.h"

namespace hinny {
namespace {

constexpr std::size_t kDim = 512;

// Unit vectors in clusters, as pictures of the same things are.
struct Collection {
  std::vector<float> vectors;
  std::vector<std::int8_t> bytes;
  std::vector<float> scales;
  std::vector<float> queries;  // near some of the rows

  explicit Collection(std::size_t rows) : vectors(rows * kDim), bytes(rows * kDim) {
    constexpr std::size_t kClusters = 2000;
    Random random(7);
    std::vector<float> centres(kClusters * kDim);
    for (float& x : centres) x = static_cast<float>(random.normal());
    for (std::size_t row = 0; row < rows; ++row) {
      const auto cluster = random.below(kClusters);
      fill(vectors, row, &centres[cluster * kDim], random, 0.7F);
      scales.push_back(to_int8(std::span(vectors).subspan(row * kDim, kDim),
                               std::span(bytes).subspan(row * kDim, kDim)));
    }
    queries.resize(64 * kDim);
    for (std::size_t q = 0; q < 64; ++q) {
      fill(queries, q, &vectors[random.below(rows) * kDim], random, 0.03F);
    }
  }

  Matrix scan() const {
    return {TensorType::int8, reinterpret_cast<const std::byte*>(bytes.data()), scales.size(), kDim,
            scales};
  }

 private:
  static void fill(std::vector<float>& out, std::size_t row, const float* centre, Random& random,
                   float noise) {
    float squares = 0;
    for (std::size_t d = 0; d < kDim; ++d) {
      const float x = centre[d] + noise * static_cast<float>(random.uniform(-2, 2));
      out[row * kDim + d] = x;
      squares += x * x;
    }
    for (std::size_t d = 0; d < kDim; ++d) out[row * kDim + d] /= std::sqrt(squares);
  }
};

const Collection& million() {
  static const Collection collection(1'000'000);
  return collection;
}

void plain_read(benchmark::State& state) {
  const Collection& c = million();
  const std::size_t words = c.bytes.size() / sizeof(std::uint64_t);
  for (auto _ : state) {
    std::uint64_t sums[8] = {};
    const auto* bytes = reinterpret_cast<const char*>(c.bytes.data());
    for (std::size_t i = 0; i + 8 <= words; i += 8) {
      std::uint64_t part[8];
      std::memcpy(part, bytes + i * sizeof(std::uint64_t), sizeof part);
      for (std::size_t j = 0; j < 8; ++j) sums[j] += part[j];
    }
    for (auto sum : sums) benchmark::DoNotOptimize(sum);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(c.bytes.size()));
}

void exact_search(benchmark::State& state) {
  const Collection& c = million();
  const auto count = static_cast<std::size_t>(state.range(0));
  set_thread_count(1);
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        top_hits(c.scan(), c.vectors, std::span(c.queries).first(count * kDim), 10));
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(c.bytes.size()));
  state.counters["queries/s"] =
      benchmark::Counter(static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate);
}

// Of the ten best by the full vectors, how many the scan finds: 64 queries.
void recall(benchmark::State& state) {
  const Collection& c = million();
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

BENCHMARK(plain_read)->Name("scan/plain_read")->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(exact_search)
    ->Name("scan/1Mx512/queries")
    ->Arg(1)
    ->Arg(8)
    ->Arg(64)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(recall)->Name("scan/recall")->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace hinny
