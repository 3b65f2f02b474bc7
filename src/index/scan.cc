#include "index/scan.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <mutex>

#include "base/threads.h"
#include "encoder/kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kBlockRows = 256;  // with a vector of 512: half of a second-level cache
constexpr std::size_t kWorthThreads = std::size_t{1} << 23;  // bytes: about a millisecond

bool better(const Hit& a, const Hit& b) {
  return a.score != b.score ? a.score > b.score : a.image < b.image;
}

// The best rows so far, a heap with the worst of them on top.
class Best {
 public:
  explicit Best(std::size_t size) : size_(size) { hits_.reserve(size); }

  void offer(const Hit& hit) {
    if (hits_.size() == size_) {
      if (!better(hit, hits_.front())) return;
      std::pop_heap(hits_.begin(), hits_.end(), better);
      hits_.pop_back();
    } else if (std::isnan(hit.score)) {
      return;  // "better" is false for it above
    }
    hits_.push_back(hit);
    std::push_heap(hits_.begin(), hits_.end(), better);
  }
  std::vector<Hit>& hits() { return hits_; }

 private:
  std::size_t size_;
  std::vector<Hit> hits_;
};

struct Queries {
  std::size_t count;
  std::size_t dim;
  std::vector<std::int8_t> numbers;  // [count, dim]; their scales do not change the order
};

Queries rounded(std::span<const float> queries, std::size_t dim) {
  Queries result{queries.size() / dim, dim, std::vector<std::int8_t>(queries.size())};
  for (std::size_t q = 0; q < result.count; ++q) {
    to_int8(queries.subspan(q * dim, dim), std::span(result.numbers).subspan(q * dim, dim));
  }
  return result;
}

void scan_rows(const Matrix& scan, const Queries& queries, std::size_t begin, std::size_t end,
               std::vector<Best>& best) {
  std::vector<std::int32_t> sums(queries.count * kBlockRows);
  const auto* rows = reinterpret_cast<const std::int8_t*>(scan.data);
  for (std::size_t first = begin; first < end; first += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, end - first);
    kernels().i8(rows + first * queries.dim, count, queries.dim, queries.numbers.data(),
                 queries.count, sums.data());
    for (std::size_t q = 0; q < queries.count; ++q) {
      for (std::size_t r = 0; r < count; ++r) {
        const float score = static_cast<float>(sums[q * count + r]) * scan.scales[first + r];
        best[q].offer({first + r, score});
      }
    }
  }
}

// The `candidates` best by the int8 scores, as one thread would find them.
std::vector<std::vector<Hit>> scan_all(const Matrix& scan, const Queries& queries,
                                       std::size_t candidates) {
  std::vector<std::vector<Hit>> found(queries.count);
  std::mutex lock;
  const auto part = [&](std::size_t begin, std::size_t end) {
    std::vector<Best> best(queries.count, Best(std::min(candidates, end - begin)));
    scan_rows(scan, queries, begin, end, best);
    const std::lock_guard guard(lock);
    for (std::size_t q = 0; q < queries.count; ++q) {
      found[q].insert(found[q].end(), best[q].hits().begin(), best[q].hits().end());
    }
  };
  if (scan.rows * scan.columns < kWorthThreads) {
    part(0, scan.rows);
  } else {
    parallel_blocks(scan.rows, part);
  }
  for (std::vector<Hit>& hits : found) {
    std::sort(hits.begin(), hits.end(), better);
    hits.resize(std::min(candidates, hits.size()));
  }
  return found;
}

}  // namespace

float to_int8(std::span<const float> row, std::span<std::int8_t> numbers) {
  float largest = 0;
  for (const float x : row) largest = std::max(largest, std::fabs(x));
  const float inverse = largest > 0 ? 127 / largest : 0.0F;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const float rounded = std::rint(row[i] * inverse);
    numbers[i] = static_cast<std::int8_t>(std::isfinite(rounded) ? rounded : 0.0F);
  }
  return largest / 127;
}

std::vector<std::vector<Hit>> top_hits(const Matrix& scan, std::span<const float> vectors,
                                       std::span<const float> queries, std::size_t k) {
  const std::size_t dim = scan.columns;
  const std::size_t count = queries.size() / dim;
  k = std::min(k, scan.rows);
  if (k == 0) return std::vector<std::vector<Hit>>(count);
  auto hits = scan_all(scan, rounded(queries, dim), std::min(scan.rows, 2 * k + 64));
  for (std::size_t q = 0; q < count; ++q) {
    for (Hit& hit : hits[q]) {
      kernels().f32(vectors.data() + hit.image * dim, 1, dim, queries.data() + q * dim, 1,
                    &hit.score);
    }
    std::erase_if(hits[q], [](const Hit& hit) { return std::isnan(hit.score); });
    std::sort(hits[q].begin(), hits[q].end(), better);
    hits[q].resize(std::min(k, hits[q].size()));
  }
  return hits;
}

}  // namespace hinny
