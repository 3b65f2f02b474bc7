// faiss on the vectors of bench_codes, beside Hinny (bench/neighbours): recall@10, bytes a row and
// processor time a question on one thread, the best of each kind looked at in full as Hinny does.
// Needs Debian's libfaiss-dev.
//   g++ -O3 -march=native bench/peers/faiss.cc -lfaiss -lopenblas -fopenmp -o peer
//   ./peer DIR [scans]     DIR/nearest.npy has what is right; scans: those alone
#include <faiss/AutoTune.h>
#include <faiss/IndexFlat.h>
#include <faiss/IndexHNSW.h>
#include <faiss/impl/io.h>
#include <faiss/index_factory.h>
#include <faiss/index_io.h>
#include <faiss/utils/distances.h>
#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kDim = 512, kHits = 10;

std::vector<float> numbers_in(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto size = static_cast<std::size_t>(file.tellg());
  char head[10];
  file.seekg(0).read(head, sizeof head);
  std::uint16_t length = 0;
  std::memcpy(&length, head + 8, sizeof length);
  std::vector<float> numbers((size - sizeof head - length) / sizeof(float));
  file.seekg(static_cast<std::streamoff>(sizeof head + length));
  file.read(reinterpret_cast<char*>(numbers.data()),
            static_cast<std::streamsize>(numbers.size() * sizeof(float)));
  return numbers;
}

double processor_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

using Rows = decltype(faiss::Index::ntotal);  // idx_t, which moved

struct Kind {
  const char* name;
  const char* factory;
  std::size_t candidates;    // as many as Hinny's candidates(10, bits)
  const char* setting = "";  // how wide it searches
  std::vector<int> widths = {0};
};

const std::vector<Kind>& scans() {
  static const std::vector<Kind> all = {{"SQ8", "SQ8", 84},
                                        {"SQ4", "SQ4", 140},
                                        {"PQ256x4fs", "PQ256x4fs", 600},
                                        {"PQ128x4fs", "PQ128x4fs", 3000}};
  return all;
}

// As many links and candidates while linking as Hinny's graph.
const std::vector<Kind>& indexes() {
  static const std::vector<Kind> all = {
      {"HNSW, float", "HNSW16,Flat", 10, "efSearch", {32, 64, 128, 256, 512}},
      {"HNSW, SQ8", "HNSW16_SQ8", 84, "efSearch", {84, 128, 256, 512, 1024}},
      {"IVF, PQ256x4fs", "IVF1024,PQ256x4fs", 600, "nprobe", {4, 8, 16, 32, 64, 128}}};
  return all;
}

struct Collection {
  std::vector<float> vectors, queries, nearest;
  explicit Collection(const std::string& folder)
      : vectors(numbers_in(folder + "/vectors.npy")),
        queries(numbers_in(folder + "/queries.npy")),
        nearest(numbers_in(folder + "/nearest.npy")) {}
  std::size_t rows() const { return vectors.size() / kDim; }
  std::size_t asked() const { return queries.size() / kDim; }
};

// -> how many of the ten best of a question are found
std::size_t ask(const faiss::Index& index, const Collection& c, std::size_t q,
                std::size_t candidates) {
  std::vector<float> scores(candidates);
  std::vector<Rows> found(candidates);
  const float* query = &c.queries[q * kDim];
  index.search(1, query, static_cast<Rows>(candidates), scores.data(), found.data());
  std::vector<std::pair<float, Rows>> best;
  for (const Rows row : found) {
    if (row < 0) continue;
    const float* vector = &c.vectors[static_cast<std::size_t>(row) * kDim];
    best.emplace_back(faiss::fvec_inner_product(query, vector, kDim), row);
  }
  const std::size_t count = std::min(kHits, best.size());
  std::partial_sort(best.begin(), best.begin() + static_cast<std::ptrdiff_t>(count), best.end(),
                    std::greater<>());
  std::size_t right = 0;
  for (std::size_t i = 0; i < count; ++i) {
    right += static_cast<std::size_t>(std::count(&c.nearest[q * kHits], &c.nearest[(q + 1) * kHits],
                                                 static_cast<float>(best[i].second)));
  }
  return right;
}

void measure(const Kind& kind, const Collection& c) {
  const std::unique_ptr<faiss::Index> index(
      faiss::index_factory(kDim, kind.factory, faiss::METRIC_INNER_PRODUCT));
  if (auto* graph = dynamic_cast<faiss::IndexHNSW*>(index.get())) graph->hnsw.efConstruction = 128;
  const double begin = processor_seconds();
  index->train(static_cast<Rows>(std::min<std::size_t>(c.rows(), 65536)), c.vectors.data());
  index->add(static_cast<Rows>(c.rows()), c.vectors.data());
  const double made = processor_seconds() - begin;
  faiss::VectorIOWriter written;
  faiss::write_index(index.get(), &written);
  const std::size_t bytes = written.data.size() / c.rows();
  for (const int width : kind.widths) {
    if (width > 0) faiss::ParameterSpace().set_index_parameter(index.get(), kind.setting, width);
    std::size_t right = 0;  // and what is asked is in memory
    for (std::size_t q = 0; q < c.asked(); ++q) right += ask(*index, c, q, kind.candidates);
    const double start = processor_seconds();
    for (std::size_t q = 0; q < c.asked(); ++q) ask(*index, c, q, kind.candidates);
    const double seconds = processor_seconds() - start;
    std::printf(
        "{\"engine\": \"faiss %s\", \"rows\": %zu, \"setting\": %d, \"bytes\": %zu, "
        "\"recall\": %.4f, \"cpu_ms\": %.3f, \"made_s\": %.1f}\n",
        kind.name, c.rows(), width, bytes,
        static_cast<double>(right) / static_cast<double>(c.asked() * kHits),
        1000 * seconds / static_cast<double>(c.asked()), made);
    std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  omp_set_num_threads(1);
  const Collection collection(argv[1]);
  for (const Kind& kind : scans()) measure(kind, collection);
  if (argc > 2) return 0;
  for (const Kind& kind : indexes()) measure(kind, collection);
  return 0;
}
