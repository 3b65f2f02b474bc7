#include "index/top_hits.h"

#include <algorithm>
#include <cmath>
#include <mutex>

#include "base/threads.h"
#include "encoder/kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kBlockRows = 1024;
constexpr std::size_t kWorthThreads = std::size_t{1} << 22;  // numbers: about a millisecond

bool better(const Hit& a, const Hit& b) {
  return a.score != b.score ? a.score > b.score : a.image < b.image;
}

// The k best of the rows [begin, end), in no order: a heap with the worst of them on top.
std::vector<Hit> best_of(std::span<const float> vectors, std::span<const float> query,
                         std::size_t k, std::size_t begin, std::size_t end) {
  std::vector<float> scores(std::min(kBlockRows, end - begin));
  std::vector<Hit> best;
  best.reserve(k);
  for (std::size_t first = begin; first < end; first += kBlockRows) {
    const std::size_t rows = std::min(kBlockRows, end - first);
    kernels().f32(vectors.data() + first * query.size(), rows, query.size(), query.data(), 1,
                  scores.data());
    for (std::size_t row = 0; row < rows; ++row) {
      const Hit hit{first + row, scores[row]};
      if (std::isnan(hit.score)) continue;
      if (best.size() == k) {
        if (!better(hit, best.front())) continue;
        std::pop_heap(best.begin(), best.end(), better);
        best.pop_back();
      }
      best.push_back(hit);
      std::push_heap(best.begin(), best.end(), better);
    }
  }
  return best;
}

}  // namespace

std::vector<Hit> top_hits(std::span<const float> vectors, std::span<const float> query,
                          std::size_t k) {
  const std::size_t rows = query.empty() ? 0 : vectors.size() / query.size();
  k = std::min(k, rows);
  if (k == 0) return {};
  std::vector<Hit> hits;
  if (vectors.size() < kWorthThreads) {
    hits = best_of(vectors, query, k, 0, rows);
  } else {
    std::mutex lock;
    parallel_blocks(rows, [&](std::size_t begin, std::size_t end) {
      const auto part = best_of(vectors, query, std::min(k, end - begin), begin, end);
      const std::lock_guard guard(lock);
      hits.insert(hits.end(), part.begin(), part.end());
    });
  }
  std::sort(hits.begin(), hits.end(), better);
  hits.resize(std::min(k, hits.size()));
  return hits;
}

}  // namespace hinny
