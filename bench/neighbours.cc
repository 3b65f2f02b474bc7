// The graph of a made-up collection by itself: how long it takes to link, and for each width of the
// search, recall@10 and milliseconds a query on one thread.
//   bench_neighbours DIR     DIR as `bench_postgres make DIR` writes it
// Prints a line of JSON for each width. Writes DIR/nearest.npy, [queries, 10], the rows that a
// search in full finds: bench/neighbours compares other programs by them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "base/content_hash.h"
#include "base/npy.h"
#include "base/safetensors.h"
#include "base/threads.h"
#include "bench/collection.h"
#include "index/folder/index.h"
#include "index/vectors/graph.h"
#include "index/vectors/scan.h"
#include "tensors/weights.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kHits = 10;
constexpr std::size_t kTurns = 3;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::vector<float> all_rows(const NpyArray& array) {
  const auto size = static_cast<std::size_t>(array.row_size());
  std::vector<float> rows(static_cast<std::size_t>(array.rows()) * size);
  for (std::int64_t row = 0; row < array.rows(); ++row) {
    array.row(row, std::span(rows).subspan(static_cast<std::size_t>(row) * size, size));
  }
  return rows;
}

using Rows = std::vector<std::size_t>;

Rows rows_of(const std::vector<Hit>& hits) {
  Rows rows;
  for (const Hit& hit : hits) rows.push_back(hit.image);
  return rows;
}

void measure(const Graph& graph, std::span<const float> vectors, std::span<const float> queries,
             std::span<const Rows> wanted, std::size_t width, double build) {
  std::vector<double> milliseconds;
  std::size_t right = 0;
  for (std::size_t turn = 0; turn < kTurns; ++turn) {
    for (std::size_t q = 0; q < wanted.size(); ++q) {
      const auto query = queries.subspan(q * kCollectionDim, kCollectionDim);
      const auto start = Clock::now();
      const auto hits = best_rows(graph.nearest(query, width), vectors, query, kHits);
      milliseconds.push_back(1000 * seconds_since(start));
      if (turn > 0) continue;
      for (const Hit& hit : hits) {
        right += std::ranges::find(wanted[q], hit.image) != wanted[q].end() ? 1 : 0;
      }
    }
  }
  std::ranges::nth_element(milliseconds, milliseconds.begin() + milliseconds.size() / 2);
  fmt::print(
      R"({{"engine": "Hinny", "rows": {}, "setting": {}, "recall": {:.4f}, "ms": {:.3f}, "build_s": {:.1f}}})"
      "\n",
      vectors.size() / kCollectionDim, width,
      static_cast<double>(right) / static_cast<double>(wanted.size() * kHits),
      milliseconds[milliseconds.size() / 2], build);
}

void run(const fs::path& folder) {
  const NpyArray vectors = NpyArray::open(folder / "vectors.npy");
  const std::vector<float> queries = all_rows(NpyArray::open(folder / kQueriesFile));
  const Weights scan(folder / kScanFile);
  const Matrix rows = scan.matrix(kScanRows);

  const auto start = Clock::now();
  Graph::build(rows, folder / "linked-again");
  const double build = seconds_since(start);
  const Graph graph =
      Graph::open(folder / "linked-again", content_hash(folder / "linked-again"), rows);
  fs::remove(folder / "linked-again");

  set_thread_count(1);
  std::vector<Rows> wanted;
  std::vector<float> nearest;
  for (std::size_t q = 0; q < kQueries; ++q) {
    const auto query = std::span(queries).subspan(q * kCollectionDim, kCollectionDim);
    std::vector<std::size_t> everything(rows.rows);
    for (std::size_t i = 0; i < everything.size(); ++i) everything[i] = i;
    wanted.push_back(rows_of(best_rows(everything, vectors.in_place(), query, kHits)));
    for (const std::size_t row : wanted.back()) nearest.push_back(static_cast<float>(row));
  }
  write_npy(folder / "nearest.npy", nearest, {kQueries, kHits});
  for (const std::size_t width : {16UL, 32UL, 64UL, 128UL, 256UL, 512UL, 1024UL, 2048UL}) {
    measure(graph, vectors.in_place(), queries, wanted, width, build);
  }
}

}  // namespace
}  // namespace hinny

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} DIR\n", argv[0]);
    return 2;
  }
  try {
    hinny::run(argv[1]);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
