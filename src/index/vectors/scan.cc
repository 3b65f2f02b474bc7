#include "index/vectors/scan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>

#include "base/every_processor.h"
#include "base/threads.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kBlockRows = 256;  // with a vector of 512: half of a second-level cache
constexpr std::size_t kGroup = 32;  // rows that are looked at one by one when one of them is good
constexpr std::size_t kWorthThreads = std::size_t{1} << 23;  // bytes: about a millisecond

// The best rows so far, a heap with the worst of them on top.
class Best {
 public:
  explicit Best(std::size_t size) : size_(size) { hits_.reserve(size); }

  // Rows that score less, or NaN, need not be offered.
  float least() const {
    return full() ? hits_.front().score : -std::numeric_limits<float>::infinity();
  }
  void offer(const Hit& hit) {
    if (full()) {
      if (!ranks_before(hit, hits_.front())) return;
      std::pop_heap(hits_.begin(), hits_.end(), ranks_before);
      hits_.pop_back();
    }
    hits_.push_back(hit);
    std::push_heap(hits_.begin(), hits_.end(), ranks_before);
  }
  std::vector<Hit>& hits() { return hits_; }
  bool full() const { return hits_.size() == size_; }

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

// scores = sums x scales; returns how many of each group of kGroup are not below `least`, which is
// mostly none.
[[gnu::always_inline]] inline void scale(const std::int32_t* sums, const float* scales,
                                         std::size_t count, float least, float* scores,
                                         std::int32_t* high) {
  for (std::size_t first = 0; first < count; first += kGroup) {
    const std::size_t end = first + kGroup < count ? first + kGroup : count;
    std::int32_t more = 0;
    for (std::size_t i = first; i < end; ++i) {
      scores[i] = static_cast<float>(sums[i]) * scales[i];
      more += scores[i] >= least ? 1 : 0;
    }
    high[first / kGroup] = more;
  }
}

void scan_rows(const Matrix& scan, const Queries& queries, std::size_t begin, std::size_t end,
               std::vector<Best>& best) {
  std::vector<std::int32_t> sums(queries.count * kBlockRows);
  std::array<float, kBlockRows> scores{};
  std::array<std::int32_t, kBlockRows / kGroup> high{};
  const auto* rows = reinterpret_cast<const std::int8_t*>(scan.data);
  for (std::size_t first = begin; first < end; first += kBlockRows) {
    const std::size_t count = std::min(kBlockRows, end - first);
    dot_kernels().i8(rows + first * queries.dim, count, queries.dim, queries.numbers.data(),
                     queries.count, sums.data());
    for (std::size_t q = 0; q < queries.count; ++q) {
      const float* scales = scan.scales.data() + first;
      on_this_processor<scale>(&sums[q * count], scales, count, best[q].least(), scores.data(),
                               high.data());
      for (std::size_t group = 0; group < count; group += kGroup) {
        if (high[group / kGroup] == 0) continue;
        for (std::size_t r = group; r < std::min(group + kGroup, count); ++r) {
          if (scores[r] >= best[q].least()) best[q].offer({first + r, scores[r]});
        }
      }
    }
  }
}

// The `most` best by the int8 scores, as one thread would find them.
std::vector<std::vector<Hit>> scan_all(const Matrix& scan, const Queries& queries,
                                       std::size_t most) {
  std::vector<std::vector<Hit>> found(queries.count);
  std::mutex lock;
  const auto part = [&](std::size_t begin, std::size_t end) {
    std::vector<Best> best(queries.count, Best(std::min(most, end - begin)));
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
    std::sort(hits.begin(), hits.end(), ranks_before);
    hits.resize(std::min(most, hits.size()));
  }
  return found;
}

}  // namespace

std::vector<Hit> best_rows(std::span<const std::size_t> rows, std::span<const float> vectors,
                           std::span<const float> query, std::size_t k) {
  const std::size_t dim = query.size();
  Best best(std::min(k, rows.size()));
  if (best.full()) return {};
  std::array<float, kBlockRows> scores{};
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t count = 1;  // rows that follow each other are read together
    while (count < kBlockRows && i + count < rows.size() && rows[i + count] == rows[i] + count) {
      ++count;
    }
    dot_kernels().f32(vectors.data() + rows[i] * dim, count, dim, query.data(), 1, scores.data());
    for (std::size_t r = 0; r < count; ++r) {
      if (scores[r] >= best.least()) best.offer({rows[i] + r, scores[r]});
    }
    i += count;
  }
  std::sort(best.hits().begin(), best.hits().end(), ranks_before);
  return std::move(best.hits());
}

std::vector<std::vector<Hit>> top_hits(const Matrix& scan, std::span<const float> vectors,
                                       std::span<const float> queries, std::size_t k) {
  const std::size_t dim = scan.columns;
  const std::size_t count = queries.size() / dim;
  k = std::min(k, scan.rows);
  if (k == 0) return std::vector<std::vector<Hit>>(count);
  const auto found = scan_all(scan, rounded(queries, dim), std::min(scan.rows, candidates(k)));
  std::vector<std::vector<Hit>> hits;
  for (std::size_t q = 0; q < count; ++q) {
    std::vector<std::size_t> rows;
    for (const Hit& hit : found[q]) rows.push_back(hit.image);
    hits.push_back(best_rows(rows, vectors, queries.subspan(q * dim, dim), k));
  }
  return hits;
}

}  // namespace hinny
