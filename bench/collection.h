// For benchmarks: vectors as a large collection of pictures has them.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "base/random.h"
#include "index/vectors/scan.h"

namespace hinny {

constexpr std::size_t kCollectionDim = 512;
constexpr std::size_t kQueries = 64;
inline constexpr const char* kQueriesFile = "queries.npy";

// A million vectors, or as many as HINNY_BENCH_ROWS says.
inline std::size_t collection_rows() {
  const char* given = std::getenv("HINNY_BENCH_ROWS");
  return given == nullptr ? 1'000'000 : std::strtoul(given, nullptr, 10);
}

// Unit vectors in clusters, as pictures of the same things are.
struct DrawnVectors {
  std::vector<float> vectors;
  std::vector<std::int8_t> bytes;
  std::vector<float> scales;
  std::vector<float> queries;  // near some of the rows

  explicit DrawnVectors(std::size_t rows)
      : vectors(rows * kCollectionDim), bytes(rows * kCollectionDim) {
    constexpr std::size_t kClusters = 2000;
    Random random(7);
    std::vector<float> centres(kClusters * kCollectionDim);
    for (float& x : centres) x = static_cast<float>(random.normal());
    for (std::size_t row = 0; row < rows; ++row) {
      const auto cluster = random.below(kClusters);
      fill(vectors, row, &centres[cluster * kCollectionDim], random, 0.7F);
      scales.push_back(to_int8(std::span(vectors).subspan(row * kCollectionDim, kCollectionDim),
                               std::span(bytes).subspan(row * kCollectionDim, kCollectionDim)));
    }
    queries.resize(kQueries * kCollectionDim);
    for (std::size_t q = 0; q < kQueries; ++q) {
      fill(queries, q, &vectors[random.below(rows) * kCollectionDim], random, 0.03F);
    }
  }

  Matrix scan() const {
    return {TensorType::int8, reinterpret_cast<const std::byte*>(bytes.data()), scales.size(),
            kCollectionDim, scales};
  }

 private:
  static void fill(std::vector<float>& out, std::size_t row, const float* centre, Random& random,
                   float noise) {
    float squares = 0;
    for (std::size_t d = 0; d < kCollectionDim; ++d) {
      const float x = centre[d] + noise * static_cast<float>(random.uniform(-2, 2));
      out[row * kCollectionDim + d] = x;
      squares += x * x;
    }
    for (std::size_t d = 0; d < kCollectionDim; ++d)
      out[row * kCollectionDim + d] /= std::sqrt(squares);
  }
};

}  // namespace hinny
