#include "index/vectors/scan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>

#include "base/every_processor.h"
#include "base/threads.h"
#include "index/vectors/best_of.h"
#include "index/vectors/row_blocks.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kBlockRows = RowBlocks::kRows;
constexpr std::size_t kGroup = 32;  // rows that are looked at one by one when one of them is good
constexpr float kFarOff = 3;        // standard errors: so bad is one estimate in 700
constexpr std::size_t kNumbersWorthThreads = std::size_t{1} << 21;  // numbers: about a millisecond

struct RanksBefore {
  bool operator()(const Hit& a, const Hit& b) const { return ranks_before(a, b); }
};
using Best = BestOf<Hit, RanksBefore>;

// Rows that score less, or NaN, need not be offered.
float least(const Best& best) {
  return best.full() ? best.last().score : -std::numeric_limits<float>::infinity();
}

// Queries in int8, to be multiplied with what a scan reads; scales and offsets do not change the
// order of the products.
class Queries {
 public:
  Queries(const Scan& scan, std::span<const float> queries)
      : count_(queries.size() / scan.columns()) {
    const std::size_t dim = scan.columns();
    if (scan.space) {
      CodeQueries prepared(*scan.space, queries);
      numbers_ = std::move(prepared.numbers);
      of_codes_ = std::move(prepared.each);
      return;
    }
    numbers_.resize(queries.size());
    for (std::size_t q = 0; q < count_; ++q) {
      to_int8(queries.subspan(q * dim, dim), std::span(numbers_).subspan(q * dim, dim));
    }
  }
  std::size_t count() const { return count_; }
  const CodeSpace::Query& of_codes(std::size_t q) const { return of_codes_[q]; }
  const std::int8_t* numbers() const { return numbers_.data(); }

 private:
  std::size_t count_;
  std::vector<std::int8_t> numbers_;
  std::vector<CodeSpace::Query> of_codes_;
};

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

void scan_blocks(const Scan& scan, const RowBlocks& blocks, const Queries& queries,
                 std::size_t begin, std::size_t end, std::vector<Best>& best) {
  RowBlocks::Reader reader(blocks);
  std::vector<std::int32_t> sums(queries.count() * kBlockRows);
  std::array<float, kBlockRows> scores{};
  std::array<std::int32_t, kBlockRows / kGroup> high{};
  for (; begin < end; ++begin) {
    const auto [count, rows, numbers, scales] = reader.read(begin);
    scan.multiply(numbers, count, queries.numbers(), queries.count(), sums.data());
    for (std::size_t q = 0; q < queries.count(); ++q) {
      on_this_processor<scale>(&sums[q * count], scales, count, least(best[q]), scores.data(),
                               high.data());
      for (std::size_t group = 0; group < count; group += kGroup) {
        if (high[group / kGroup] == 0) continue;
        for (std::size_t r = group; r < std::min(group + kGroup, count); ++r) {
          if (scores[r] >= least(best[q])) best[q].offer({rows[r], scores[r]});
        }
      }
    }
  }
}

// Vectors, and the file in which they lie (or null).
struct FullRows {
  std::span<const float> numbers;
  std::size_t dim;
  const CheckedFile* checked;

  const float* at(std::size_t first, std::size_t count) const {
    const auto rows = numbers.subspan(first * dim, count * dim);
    if (checked != nullptr) checked->check(std::as_bytes(rows));
    return rows.data();
  }
};

// Rows of `vectors` with the queries, in full.
void measure_rows(std::span<const std::size_t> rows, const FullRows& vectors,
                  std::span<const float> queries, std::vector<Best>& best) {
  std::vector<float> scores(best.size() * kBlockRows);
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t count = 1;  // rows that follow each other are read together
    while (count < kBlockRows && i + count < rows.size() && rows[i + count] == rows[i] + count) {
      ++count;
    }
    dot_kernels().f32(vectors.at(rows[i], count), count, vectors.dim, queries.data(), best.size(),
                      scores.data());
    for (std::size_t q = 0; q < best.size(); ++q) {
      for (std::size_t r = 0; r < count; ++r) {
        const float score = scores[q * count + r];
        if (score >= least(best[q])) best[q].offer({rows[i] + r, score});
      }
    }
    i += count;
  }
}

std::vector<std::vector<Hit>> taken(std::vector<Best>& best) {
  std::vector<std::vector<Hit>> hits;
  for (Best& some : best) hits.push_back(some.take());
  return hits;
}

// use(begin, end, best) for parts of [0, size), each with its own best; then the best of all.
template <typename Each, typename Use>
std::vector<Best> best_of_parts(std::size_t queries, std::size_t most, const Each& each,
                                const Use& use) {
  std::vector<Best> all(queries, Best(most));
  std::mutex lock;
  each([&](std::size_t begin, std::size_t end) {
    std::vector<Best> part(queries, Best(most));
    use(begin, end, part);
    const std::lock_guard guard(lock);
    for (std::size_t q = 0; q < queries; ++q) all[q].offer_all(part[q]);
  });
  return all;
}

std::vector<std::vector<Hit>> best_in_full(std::span<const std::size_t> rows,
                                           const FullRows& vectors, std::span<const float> queries,
                                           std::size_t k) {
  const std::size_t dim = vectors.dim;
  const auto each = [&](const std::function<void(std::size_t, std::size_t)>& use) {
    if (rows.size() * dim < kNumbersWorthThreads) return use(0, rows.size());
    parallel_blocks(rows.size(), use);
  };
  auto best =
      best_of_parts(queries.size() / dim, k, each,
                    [&](std::size_t begin, std::size_t end, std::vector<Best>& part) {
                      measure_rows(rows.subspan(begin, end - begin), vectors, queries, part);
                    });
  return taken(best);
}

// Of rows found by their codes, the best first: those that may be among the k best, in full.
std::vector<Hit> best_estimated(std::span<const Hit> found, const CodeSpace::Query& prepared,
                                std::span<const float> errors, const FullRows& vectors,
                                std::span<const float> query, std::size_t k) {
  constexpr std::size_t kAtOnce = 32;  // rows: then more is known of how good the k best are
  std::vector<Best> best(1, Best(k));
  std::vector<std::size_t> rows;
  for (std::size_t first = 0; first < found.size(); first += std::max(k, kAtOnce)) {
    rows.clear();
    for (const Hit& hit :
         found.subspan(first, std::min(std::max(k, kAtOnce), found.size() - first))) {
      const float estimate = prepared.offset + prepared.scale * hit.score;
      const float off = kFarOff * prepared.length * errors[hit.image];
      if (!(estimate + off < least(best.front()))) rows.push_back(hit.image);
    }
    std::ranges::sort(rows);
    measure_rows(rows, vectors, query, best);
  }
  return best.front().take();
}

std::vector<std::size_t> listed(const RowMask* among, std::size_t rows) {
  if (among != nullptr) return among->listed();
  std::vector<std::size_t> all(rows);
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

void Scan::multiply(const std::int8_t* some, std::size_t count, const std::int8_t* vectors,
                    std::size_t times, std::int32_t* sums) const {
  if (space) {
    dot_kernels().codes(reinterpret_cast<const std::uint8_t*>(some), count, rows.columns,
                        space->bits(), vectors, times, sums);
  } else {
    dot_kernels().i8(some, count, rows.columns, vectors, times, sums);
  }
}

std::vector<Hit> best_rows(std::span<const std::size_t> rows, std::span<const float> vectors,
                           std::span<const float> query, std::size_t k,
                           const CheckedFile* checked) {
  k = std::min(k, rows.size());
  if (k == 0) return {};
  return std::move(best_in_full(rows, {vectors, query.size(), checked}, query, k).front());
}

std::vector<Hit> best_found(const Scan& scan, std::span<const std::size_t> rows,
                            std::span<const float> vectors, std::span<const float> query,
                            std::size_t k, const CheckedFile* checked) {
  if (!scan.space) return best_rows(rows, vectors, query, k, checked);
  const CodeQueries prepared(*scan.space, query);
  const auto* codes = reinterpret_cast<const std::int8_t*>(scan.rows.data);
  Best best(std::min(rows.size(), candidates(k, scan.bits())));
  for (const std::size_t row : rows) {
    std::int32_t sum = 0;
    scan.multiply(codes + row * scan.rows.columns, 1, prepared.numbers.data(), 1, &sum);
    best.offer({row, static_cast<float>(sum) * scan.rows.scales[row]});
  }
  return best_estimated(best.take(), prepared.each.front(), scan.errors,
                        {vectors, query.size(), checked}, query, std::min(k, rows.size()));
}

std::vector<std::vector<Hit>> top_hits(const Scan& scan, std::span<const float> vectors,
                                       std::span<const float> queries, std::size_t k,
                                       const RowMask* among, const CheckedFile* checked) {
  const std::size_t dim = scan.columns();
  const std::size_t count = queries.size() / dim;
  const RowBlocks blocks(scan.rows, among);
  const FullRows full{vectors, dim, checked};
  k = std::min(k, blocks.rows());
  if (k == 0 || count == 0) return std::vector<std::vector<Hit>>(count);
  const std::size_t most = candidates(k, scan.bits());
  if (most >= blocks.rows()) {
    return best_in_full(listed(among, scan.rows.rows), full, queries, k);
  }
  const Queries numbers(scan, queries);
  const auto each = [&](const std::function<void(std::size_t, std::size_t)>& use) {
    blocks.in_parts(count, use);
  };
  auto found = best_of_parts(count, most, each,
                             [&](std::size_t begin, std::size_t end, std::vector<Best>& part) {
                               scan_blocks(scan, blocks, numbers, begin, end, part);
                             });
  std::vector<std::vector<Hit>> hits(count);
  const auto measure = [&](std::size_t begin, std::size_t end) {
    for (std::size_t q = begin; q < end; ++q) {
      const std::vector<Hit> good = found[q].take();
      const auto query = queries.subspan(q * dim, dim);
      if (scan.space) {
        hits[q] = best_estimated(good, numbers.of_codes(q), scan.errors, full, query, k);
        continue;
      }
      std::vector<std::size_t> rows;
      for (const Hit& hit : good) rows.push_back(hit.image);
      hits[q] = best_rows(rows, vectors, query, k, checked);
    }
  };
  if (count * most * dim < kNumbersWorthThreads) {
    measure(0, count);
  } else {
    parallel_blocks(count, measure);
  }
  return hits;
}

}  // namespace hinny
