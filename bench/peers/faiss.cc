// faiss's codes on the vectors of bench_codes, beside Hinny's (bench/codes.cc): recall@10 and
// processor time a question on one thread, the best of each looked at in full as there. Needs
// Debian's libfaiss-dev.
//   g++ -O3 -march=native bench/peers/faiss.cc -lfaiss -lopenblas -fopenmp -o faiss-codes
//   ./faiss-codes DIR      after bench_codes ask DIR, which writes DIR/nearest.npy
#include <faiss/IndexFlat.h>
#include <faiss/index_factory.h>
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

struct Kind {
  const char* factory;
  std::size_t bytes, candidates;  // as many as Hinny's candidates(10, bits)
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  omp_set_num_threads(1);
  const std::string folder = argv[1];
  const auto vectors = numbers_in(folder + "/vectors.npy");
  const auto queries = numbers_in(folder + "/queries.npy");
  const auto nearest = numbers_in(folder + "/nearest.npy");
  const std::size_t rows = vectors.size() / kDim, asked = queries.size() / kDim;
  for (const Kind& kind : {Kind{"SQ8", 512, 84}, Kind{"SQ4", 256, 140}, Kind{"PQ256x4fs", 128, 600},
                           Kind{"PQ128x4fs", 64, 3000}}) {
    const std::unique_ptr<faiss::Index> index(
        faiss::index_factory(kDim, kind.factory, faiss::METRIC_INNER_PRODUCT));
    const double begin = processor_seconds();
    index->train(std::min<std::size_t>(rows, 65536), vectors.data());
    index->add(static_cast<faiss::Index::idx_t>(rows), vectors.data());
    const double made = processor_seconds() - begin;
    std::vector<float> scores(kind.candidates);
    std::vector<faiss::Index::idx_t> found(kind.candidates);
    std::size_t right = 0;
    const double start = processor_seconds();
    for (std::size_t q = 0; q < asked; ++q) {
      const float* query = &queries[q * kDim];
      index->search(1, query, static_cast<faiss::Index::idx_t>(kind.candidates), scores.data(),
                    found.data());
      std::vector<std::pair<float, faiss::Index::idx_t>> best;
      for (const faiss::Index::idx_t row : found) {
        if (row < 0) continue;
        best.emplace_back(
            faiss::fvec_inner_product(query, &vectors[static_cast<std::size_t>(row) * kDim], kDim),
            row);
      }
      std::partial_sort(best.begin(), best.begin() + kHits, best.end(), std::greater<>());
      for (std::size_t i = 0; i < kHits; ++i) {
        right += std::count(&nearest[q * kHits], &nearest[(q + 1) * kHits],
                            static_cast<float>(best[i].second));
      }
    }
    const double seconds = processor_seconds() - start;
    std::printf(
        "{\"engine\": \"faiss %s\", \"rows\": %zu, \"bytes\": %zu, \"recall\": %.4f, "
        "\"cpu_ms\": %.3f, \"made_s\": %.1f}\n",
        kind.factory, rows, kind.bytes,
        static_cast<double>(right) / static_cast<double>(asked * kHits),
        1000 * seconds / static_cast<double>(asked), made);
    std::fflush(stdout);
  }
  return 0;
}
