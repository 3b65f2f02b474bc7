// Codes of one, two and four bits beside int8, on the vectors of a collection: bytes a row,
// recall@10 of what a search in full finds, processor time a question, and how far down by their
// estimates the ten best stand: the rows that must be looked at in full.
//   bench_codes make real FEATURES.npy DIR ROWS    pictures' features, again and again with noise
//   bench_codes make clustered DIR ROWS            as bench/collection.h draws them
//   bench_codes ask DIR [BITS...]                  prints a line of JSON for each
//   bench_codes graph DIR [BITS...]    likewise by graphs, for each width of the walk
//   bench_codes lean DIR BITS    after `ask`: by codes alone, without places; the memory it took
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "base/content_hash.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/npy.h"
#include "base/threads.h"
#include "bench/collection.h"
#include "index/vectors/code_file.h"
#include "index/vectors/graph.h"
#include "index/vectors/int8_rows.h"
#include "index/vectors/scan.h"
#include "retrieval/dot_kernels.h"
#include "tensors/weights.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHits = 10;
constexpr std::size_t kAsked = 100;
constexpr const char* kNearestFile = "nearest.npy";

void to_unit(std::span<float> row) {
  double squares = 0;
  for (const float x : row) squares += static_cast<double>(x) * static_cast<double>(x);
  const auto length = static_cast<float>(std::sqrt(squares));
  for (float& x : row) x /= length;
}

// `from` with noise of so many times its length.
void put_near(const float* from, float noise, Random& random, std::span<float> out) {
  const float each = noise * std::sqrt(3.0F / static_cast<float>(out.size()));
  for (std::size_t d = 0; d < out.size(); ++d) {
    out[d] = from[d] + each * static_cast<float>(random.uniform(-1, 1));
  }
  to_unit(out);
}

// Features as unit vectors of kCollectionDim numbers, by a random projection.
std::vector<float> projected(const fs::path& file) {
  const NpyArray features = NpyArray::open(file);
  const auto from = static_cast<std::size_t>(features.row_size());
  const auto count = static_cast<std::size_t>(features.rows());
  Random random(3);
  std::vector<float> matrix(kCollectionDim * from), row(from), rows(count * kCollectionDim);
  for (float& x : matrix) x = static_cast<float>(random.normal());
  for (std::size_t i = 0; i < count; ++i) {
    features.row(static_cast<std::int64_t>(i), row);
    const auto out = std::span(rows).subspan(i * kCollectionDim, kCollectionDim);
    dot_kernels().f32(matrix.data(), kCollectionDim, from, row.data(), 1, out.data());
    to_unit(out);
  }
  return rows;
}

// Rows around `centres` with noise of their own, and queries: half near a row, half as far from all
// as sentences are from pictures.
void make(std::vector<float> centres, float noise, const fs::path& folder, std::size_t rows) {
  create_folder(folder);
  Random random(7);
  const std::size_t count = centres.size() / kCollectionDim;
  std::vector<float> row(kCollectionDim), queries;
  NpyWriter vectors(folder / "vectors.npy", {kCollectionDim}, NpyType::float32);
  for (std::size_t i = 0; i < rows; ++i) {
    put_near(&centres[i % count * kCollectionDim], noise, random, row);
    vectors.append(row);
  }
  vectors.commit();
  for (std::size_t q = 0; q < kAsked; ++q) {
    put_near(&centres[random.below(count) * kCollectionDim], q % 2 == 0 ? 0.5F : 2.0F, random, row);
    queries.insert(queries.end(), row.begin(), row.end());
  }
  write_npy(folder / kQueriesFile, queries, {kAsked, kCollectionDim});
}

std::vector<float> drawn_centres() {
  constexpr std::size_t kClusters = 2000;
  Random random(7);
  std::vector<float> centres(kClusters * kCollectionDim);
  for (float& x : centres) x = static_cast<float>(random.normal());
  for (std::size_t i = 0; i < kClusters; ++i) {
    to_unit(std::span(centres).subspan(i * kCollectionDim, kCollectionDim));
  }
  return centres;
}

double processor_seconds() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

// "VmRSS" and its like, in MB.
double memory_of(const std::string& what) {
  std::ifstream file("/proc/self/status");
  const std::string status(std::istreambuf_iterator<char>(file), {});
  const std::size_t at = status.find(what + ":");
  if (at == std::string::npos) return 0;
  return std::strtod(status.c_str() + at + what.size() + 1, nullptr) / 1000;
}

using Ten = std::vector<std::set<std::size_t>>;

// By all vectors in full, read once; kept in kNearestFile.
Ten best_ten(const fs::path& folder, std::span<const float> vectors,
             std::span<const float> queries) {
  const fs::path file = folder / kNearestFile;
  if (!fs::exists(file)) {
    using Near = std::pair<float, std::size_t>;  // minus the product, row
    constexpr std::size_t kBlock = 1024;
    std::vector<std::vector<Near>> best(kAsked);
    std::mutex lock;
    parallel_blocks(vectors.size() / kCollectionDim, [&](std::size_t begin, std::size_t end) {
      std::vector<float> products(kBlock * kAsked);
      std::vector<std::vector<Near>> mine(kAsked);
      for (; begin < end; begin += kBlock) {
        const std::size_t count = std::min(kBlock, end - begin);
        dot_kernels().f32(&vectors[begin * kCollectionDim], count, kCollectionDim, queries.data(),
                          kAsked, products.data());
        for (std::size_t q = 0; q < kAsked; ++q) {
          for (std::size_t r = 0; r < count; ++r) {
            const Near near(-products[q * count + r], begin + r);
            if (mine[q].size() >= kHits && near > mine[q].back()) continue;
            mine[q].insert(std::ranges::upper_bound(mine[q], near), near);
            if (mine[q].size() > kHits) mine[q].pop_back();
          }
        }
      }
      const std::lock_guard guard(lock);
      for (std::size_t q = 0; q < kAsked; ++q) {
        best[q].insert(best[q].end(), mine[q].begin(), mine[q].end());
      }
    });
    std::vector<float> nearest;
    for (auto& some : best) {
      std::ranges::sort(some);
      for (std::size_t i = 0; i < kHits; ++i) nearest.push_back(static_cast<float>(some[i].second));
    }
    write_npy(file, nearest, {kAsked, kHits});
  }
  const NpyArray nearest = NpyArray::open(file);
  Ten best(kAsked);
  for (std::size_t i = 0; i < kAsked * kHits; ++i) {
    best[i / kHits].insert(static_cast<std::size_t>(nearest.in_place()[i]));
  }
  return best;
}

// Made where they are not there yet.
CodeFile codes_in(const fs::path& folder, const NpyArray& vectors, int bits) {
  const fs::path file = folder / fmt::format("codes-{}.safetensors", bits);
  if (!fs::exists(file)) {
    const double start = processor_seconds();
    write_codes(file, vectors.in_place(), kCollectionDim, 1, bits, false);
    fmt::print(stderr, "{} bits: made in {:.1f} s of processor time\n", bits,
               processor_seconds() - start);
  }
  return {file, static_cast<std::size_t>(vectors.rows()), kCollectionDim, 1, bits, false};
}

// Where by their estimates those rows stand: places that 98 %, 99 % and 99.9 % of them do not
// exceed.
std::vector<std::size_t> places(const Scan& scan, std::span<const float> queries, const Ten& best) {
  const CodeQueries prepared(*scan.space, queries);
  const std::size_t rows = scan.rows.rows;
  std::vector<std::int32_t> sums(rows);
  std::vector<float> estimates(rows), sorted;
  std::vector<std::size_t> all;
  for (std::size_t q = 0; q < prepared.each.size(); ++q) {
    dot_kernels().codes(reinterpret_cast<const std::uint8_t*>(scan.rows.data), rows,
                        scan.rows.columns, scan.bits(),
                        &prepared.numbers[q * scan.space->rotated()], 1, sums.data());
    for (std::size_t r = 0; r < rows; ++r) {
      estimates[r] = static_cast<float>(sums[r]) * scan.rows.scales[r];
    }
    sorted = estimates;
    std::ranges::sort(sorted, std::greater());
    for (const std::size_t row : best[q]) {
      const auto at = std::ranges::lower_bound(sorted, estimates[row], std::greater());
      all.push_back(static_cast<std::size_t>(at - sorted.begin()));
    }
  }
  std::ranges::sort(all);
  return {all[all.size() * 98 / 100], all[all.size() * 99 / 100], all[all.size() * 999 / 1000]};
}

enum class Places { shown, not_shown };

// What a scan reads of a row.
std::size_t bytes_of_row(const Scan& scan) {
  return scan.rows.columns + sizeof(float) + (scan.space ? sizeof(float) : std::size_t{0});
}

void measure(const Scan& scan, std::span<const float> vectors, std::span<const float> queries,
             const Ten& best, Places shown = Places::shown) {
  set_thread_count(1);
  std::size_t right = 0;
  const auto one = [&](std::size_t q) {
    return top_hits(scan, vectors, queries.subspan(q * kCollectionDim, kCollectionDim), kHits)
        .front();
  };
  one(0);
  const double start = processor_seconds();
  for (std::size_t q = 0; q < kAsked; ++q) {
    for (const Hit& hit : one(q)) right += best[q].contains(hit.image) ? 1 : 0;
  }
  const double seconds = processor_seconds() - start;
  const std::size_t row = bytes_of_row(scan);
  std::string standing;
  if (scan.space && shown == Places::shown) {
    standing = fmt::format(R"(, "places": [{}])", fmt::join(places(scan, queries, best), ", "));
  }
  fmt::print(
      R"({{"engine": "Hinny", "bits": {}, "rows": {}, "bytes": {}, "recall": {:.4f}, "cpu_ms": {:.3f}, "GB_s": {:.2f}{}}})"
      "\n",
      scan.bits(), scan.rows.rows, row, static_cast<double>(right) / (kAsked * kHits),
      1000 * seconds / kAsked, static_cast<double>(row * scan.rows.rows * kAsked) / seconds / 1e9,
      standing);
  std::fflush(stdout);
}

fs::path links_of(const fs::path& folder, const Scan& scan) {
  return folder / (scan.space ? "links" : "graph");
}

// Linked where it is not there yet.
Graph graph_in(const fs::path& folder, const Scan& scan, std::span<const float> all) {
  const GraphNumbers numbers = scan.space ? GraphNumbers::left_out : GraphNumbers::kept;
  const fs::path file = links_of(folder, scan);
  if (!fs::exists(file)) {
    const double start = processor_seconds();
    Graph::build(Int8Rows(all, kCollectionDim).matrix(), file, numbers);
    fmt::print(stderr, "linked in {:.0f} s of processor time\n", processor_seconds() - start);
  }
  return Graph::open(file, content_hash(file), scan);
}

// `bytes`: of a row, in memory to be asked. The graph with numbers has them all in its file.
void measure(const Graph& graph, std::size_t bytes, const Scan& scan,
             std::span<const float> vectors, std::span<const float> queries, const Ten& best) {
  set_thread_count(1);
  for (const std::size_t width : {32UL, 64UL, 128UL, 256UL, 512UL, 1024UL, 2000UL}) {
    std::size_t right = 0;
    const auto one = [&](std::size_t q) {
      const auto query = queries.subspan(q * kCollectionDim, kCollectionDim);
      return best_found(scan, graph.nearest(query, width), vectors, query, kHits);
    };
    for (std::size_t q = 0; q < kAsked; ++q) {  // from memory the second time
      for (const Hit& hit : one(q)) right += best[q].contains(hit.image) ? 1 : 0;
    }
    const double start = processor_seconds();
    for (std::size_t q = 0; q < kAsked; ++q) one(q);
    fmt::print(
        R"({{"engine": "Hinny", "bits": {}, "rows": {}, "setting": {}, "bytes": {}, "recall": {:.4f}, "cpu_ms": {:.3f}}})"
        "\n",
        scan.bits(), scan.rows.rows, width, bytes, static_cast<double>(right) / (kAsked * kHits),
        1000 * (processor_seconds() - start) / kAsked);
    std::fflush(stdout);
  }
}

void ask_graph(const fs::path& folder, const std::vector<int>& bits) {
  const NpyArray vectors = NpyArray::open(folder / "vectors.npy");
  const NpyArray asked = NpyArray::open(folder / kQueriesFile);
  const Ten best = best_ten(folder, vectors.in_place(), asked.in_place());
  const auto ask = [&](const Scan& scan) {
    const Graph graph = graph_in(folder, scan, vectors.in_place());
    const std::size_t links = fs::file_size(links_of(folder, scan)) / scan.rows.rows;
    measure(graph, links + (scan.space ? bytes_of_row(scan) : 0), scan, vectors.in_place(),
            asked.in_place(), best);
  };
  ask(Scan(Int8Rows(vectors.in_place(), kCollectionDim).matrix()));
  for (const int some : bits) {
    const CodeFile codes = codes_in(folder, vectors, some);
    ask(codes.scan(0));
  }
}

void ask(const fs::path& folder, const std::vector<int>& bits) {
  const NpyArray vectors = NpyArray::open(folder / "vectors.npy");
  const NpyArray asked = NpyArray::open(folder / kQueriesFile);
  const std::span<const float> all = vectors.in_place();
  const std::span<const float> queries = asked.in_place();
  const Int8Rows rows(all, kCollectionDim);
  const Ten best = best_ten(folder, all, queries);
  measure(Scan(rows.matrix()), all, queries, best);
  for (const int some : bits) {
    const CodeFile codes = codes_in(folder, vectors, some);
    measure(codes.scan(0), all, queries, best);
  }
}

void ask_lean(const fs::path& folder, int bits) {
  const NpyArray vectors = NpyArray::open(folder / "vectors.npy");
  const NpyArray asked = NpyArray::open(folder / kQueriesFile);
  if (const fs::path file = folder / kNearestFile; !fs::exists(file)) {
    best_ten(folder, vectors.in_place(), asked.in_place());
    codes_in(folder, vectors, bits);
    fmt::print(stderr, "made what was missing; once more for the memory\n");
    return;
  }
  const Ten best = best_ten(folder, vectors.in_place(), asked.in_place());
  const CodeFile codes = codes_in(folder, vectors, bits);
  vectors.expect_random_reads();
  measure(codes.scan(0), vectors.in_place(), asked.in_place(), best, Places::not_shown);
  fmt::print(R"({{"resident_MB": {:.0f}, "own_MB": {:.0f}, "files_MB": {:.0f}}})"
             "\n",
             memory_of("VmRSS"), memory_of("RssAnon"), memory_of("RssFile"));
}

int run(const std::vector<std::string>& words) {
  if (words.size() == 5 && words[0] == "make" && words[1] == "real") {
    make(projected(words[2]), 0.5F, words[3], std::stoul(words[4]));
  } else if (words.size() == 4 && words[0] == "make" && words[1] == "clustered") {
    make(drawn_centres(), 0.8F, words[2], std::stoul(words[3]));
  } else if (words.size() == 3 && words[0] == "lean") {
    ask_lean(words[1], std::stoi(words[2]));
  } else if (words.size() >= 2 && (words[0] == "ask" || words[0] == "graph")) {
    std::vector<int> bits;
    for (std::size_t i = 2; i < words.size(); ++i) bits.push_back(std::stoi(words[i]));
    if (bits.empty()) bits = {4, 2, 1};
    words[0] == "ask" ? ask(words[1], bits) : ask_graph(words[1], bits);
  } else {
    fmt::print(stderr,
               "usage: bench_codes make real FEATURES.npy DIR ROWS | make clustered DIR "
               "ROWS | ask DIR [BITS...] | graph DIR [BITS...] | lean DIR BITS\n");
    return 2;
  }
  return 0;
}

}  // namespace
}  // namespace hinny

int main(int argc, char** argv) {
  try {
    return hinny::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
