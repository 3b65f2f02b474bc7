// A graph of neighbours that goes on as the rows change, beside one that is linked anew: 10,000
// changes, 100 at once, a third each rows that come, rows that go and rows that are altered. How
// long each step takes with writing the file, and what the graphs find in the end.
//   bench_graph_growth [CHANGES]     HINNY_BENCH_ROWS rows, or 50,000
// Prints lines of JSON: one of the steps, one for each width of the search.
#include "index/vectors/graph_growth.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>

#include "base/content_hash.h"
#include "base/threads.h"
#include "bench/collection.h"
#include "index/vectors/graph.h"
#include "index/vectors/scan.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kRows = 50'000;
constexpr std::size_t kHits = 10;
constexpr std::size_t kAtOnce = 100;
constexpr std::size_t kMostQueries = 1000;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What an index holds of some of the vectors that there are.
struct Chosen {
  std::vector<std::int8_t> bytes;
  std::vector<float> scales;

  Chosen(const DrawnVectors& all, const std::vector<std::size_t>& rows) {
    bytes.reserve(rows.size() * kCollectionDim);
    for (const std::size_t row : rows) {
      const auto from = all.bytes.begin() + static_cast<std::ptrdiff_t>(row * kCollectionDim);
      bytes.insert(bytes.end(), from, from + kCollectionDim);
      scales.push_back(all.scales[row]);
    }
  }
  Matrix scan() const {
    return {TensorType::int8, reinterpret_cast<const std::byte*>(bytes.data()), scales.size(),
            kCollectionDim, scales};
  }
};

Graph opened(const fs::path& file, const Chosen& chosen) {
  return Graph::open(file, content_hash(file), chosen.scan());
}

// Another picture of the same thing, at the end of all that there are.
std::size_t altered(DrawnVectors& all, std::size_t row, Random& random) {
  std::vector<float> vector(
      all.vectors.begin() + static_cast<std::ptrdiff_t>(row * kCollectionDim),
      all.vectors.begin() + static_cast<std::ptrdiff_t>((row + 1) * kCollectionDim));
  float squares = 0;
  for (float& x : vector) {
    x += 0.01F * static_cast<float>(random.uniform(-2, 2));
    squares += x * x;
  }
  for (float& x : vector) x /= std::sqrt(squares);
  all.vectors.insert(all.vectors.end(), vector.begin(), vector.end());
  all.bytes.resize(all.vectors.size());
  all.scales.push_back(to_int8(vector, std::span(all.bytes).last(kCollectionDim)));
  return all.scales.size() - 1;
}

// The share of the nearest in full that a graph finds, by questions near some of the rows.
double recall(const Graph& graph, const std::vector<float>& vectors, const Chosen& chosen,
              std::size_t width, double& milliseconds) {
  Random random(11);
  std::size_t right = 0;
  const std::size_t queries = std::min(kMostQueries, chosen.scales.size());
  milliseconds = 0;
  for (std::size_t q = 0; q < queries; ++q) {
    const auto row = random.below(chosen.scales.size());
    const auto near = std::span(vectors).subspan(row * kCollectionDim, kCollectionDim);
    std::vector<float> query(near.begin(), near.end());
    for (float& x : query) x += 0.03F * static_cast<float>(random.uniform(-2, 2));
    const auto start = Clock::now();
    const auto hits = best_rows(graph.nearest(query, width), vectors, query, kHits);
    milliseconds += 1000 * seconds_since(start) / static_cast<double>(queries);
    const auto exact = top_hits(chosen.scan(), vectors, query, kHits);
    std::set<std::size_t> best;
    for (const Hit& hit : exact[0]) best.insert(hit.image);
    for (const Hit& hit : hits) right += best.contains(hit.image) ? 1 : 0;
  }
  return static_cast<double>(right) / static_cast<double>(queries * kHits);
}

void run(std::size_t changes) {
  const std::size_t count = std::getenv("HINNY_BENCH_ROWS") == nullptr ? kRows : collection_rows();
  DrawnVectors all(count + changes / 3 + kAtOnce);
  const Scratch folder;
  std::vector<std::size_t> rows;
  for (std::size_t row = 0; row < count; ++row) rows.push_back(row);
  std::size_t next = count;  // that comes

  auto start = Clock::now();
  Graph::build(Chosen(all, rows).scan(), folder / "graph");
  const double built = seconds_since(start);

  Random random(5);
  std::vector<double> seconds;
  std::size_t anew = 0;
  for (std::size_t done = 0; done < changes; done += kAtOnce) {
    const Chosen before(all, rows);
    for (std::size_t i = 0; i < kAtOnce; ++i) {
      const auto at = rows.begin() + static_cast<std::ptrdiff_t>(random.below(rows.size()));
      if (i % 3 == 0) {
        rows.insert(at, next++);
      } else if (i % 3 == 1) {
        rows.erase(at);
      } else {
        *at = altered(all, *at, random);
      }
    }
    const Chosen after(all, rows);
    start = Clock::now();
    if (!grow_graph(folder / "graph", content_hash(folder / "graph"), before.scan(), after.scan(),
                    folder / "grown")) {
      Graph::build(after.scan(), folder / "grown");
      ++anew;
    }
    seconds.push_back(seconds_since(start));
    fs::rename(folder / "grown", folder / "graph");
  }
  std::ranges::sort(seconds);
  fmt::print(
      R"({{"rows": {}, "changes": {}, "at_once": {}, "build_s": {:.2f}, "step_s": {:.3f}, "longest_step_s": {:.3f}, "linked_anew": {}, "megabytes": {:.1f}}})"
      "\n",
      rows.size(), changes, kAtOnce, built, seconds[seconds.size() / 2], seconds.back(), anew,
      static_cast<double>(fs::file_size(folder / "graph")) / 1e6);

  const Chosen chosen(all, rows);
  std::vector<float> vectors;
  for (const std::size_t row : rows) {
    const auto from = all.vectors.begin() + static_cast<std::ptrdiff_t>(row * kCollectionDim);
    vectors.insert(vectors.end(), from, from + kCollectionDim);
  }
  Graph::build(chosen.scan(), folder / "fresh");
  const Graph grown = opened(folder / "graph", chosen), fresh = opened(folder / "fresh", chosen);
  set_thread_count(1);
  for (const std::size_t width : {std::size_t{84}, std::size_t{256}, kGraphWidth}) {
    double grown_ms = 0, fresh_ms = 0;
    const double one = recall(grown, vectors, chosen, width, grown_ms);
    const double other = recall(fresh, vectors, chosen, width, fresh_ms);
    fmt::print(
        R"({{"width": {}, "recall": {:.4f}, "recall_anew": {:.4f}, "ms": {:.3f}, "ms_anew": {:.3f}}})"
        "\n",
        width, one, other, grown_ms, fresh_ms);
  }
}

}  // namespace
}  // namespace hinny

int main(int argc, char** argv) {
  try {
    hinny::run(argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
  return 0;
}
