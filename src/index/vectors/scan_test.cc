#include "index/vectors/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/random.h"
#include "base/threads.h"

namespace hinny {
namespace {

// Rows and the same in int8.
struct Rows {
  std::size_t dim;
  std::vector<float> vectors;
  std::vector<std::int8_t> bytes;
  std::vector<float> scales;

  explicit Rows(std::vector<float> numbers, std::size_t columns)
      : dim(columns), vectors(std::move(numbers)), bytes(vectors.size()) {
    for (std::size_t i = 0; i < vectors.size(); i += dim) {
      scales.push_back(
          to_int8(std::span(vectors).subspan(i, dim), std::span(bytes).subspan(i, dim)));
    }
  }
  std::vector<std::vector<Hit>> top(std::span<const float> queries, std::size_t k,
                                    const RowMask* among = nullptr) const {
    const Matrix scan{TensorType::int8, std::as_bytes(std::span(bytes)).data(), scales.size(), dim,
                      scales};
    return top_hits(scan, vectors, queries, k, among);
  }
};

// Numbers that int8 holds exactly, and many rows of one score.
std::vector<float> small_numbers(std::size_t count, Random& random) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(random.below(3)) - 1.0F;
  return numbers;
}

// Masks of every kind: none, all, one row, where blocks meet, runs, and any share of the rows.
std::vector<RowMask> masks(std::size_t rows, Random& random) {
  std::vector<RowMask> all = {RowMask(rows), RowMask(rows, true)};
  for (const std::vector<std::size_t>& chosen :
       {std::vector<std::size_t>{0}, {rows - 1}, {255, 256}, {511}, {512, 767, 768}}) {
    all.emplace_back(rows, chosen);
  }
  for (const auto& [first, end] : {std::pair{256, 512}, {100, 3000}, {257, 258}, {2000, 2400}}) {
    RowMask run(rows);
    for (int row = first; row < end; ++row) run.add(static_cast<std::size_t>(row));
    all.push_back(std::move(run));
  }
  for (const double share : {0.001, 0.02, 0.3, 0.5, 0.9, 0.999}) {
    RowMask some(rows);
    for (std::size_t row = 0; row < rows; ++row) {
      if (random.uniform(0, 1) < share) some.add(row);
    }
    all.push_back(std::move(some));
  }
  return all;
}

TEST(TopHits, AreExactInAnyNumberOfThreadsAndTiesGoByPosition) {
  constexpr std::size_t kDim = 33;
  constexpr std::size_t kRows = 300000;  // enough for several threads
  Random random(3);
  std::vector<float> vectors = small_numbers(kRows * kDim, random);  // many ties
  const std::vector<float> query = small_numbers(kDim, random);
  vectors[50 * kDim] = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::pair<float, std::size_t>> wanted;
  for (std::size_t row = 0; row < kRows; ++row) {
    float score = 0;
    for (std::size_t d = 0; d < kDim; ++d) score += vectors[row * kDim + d] * query[d];
    if (!std::isnan(score)) wanted.emplace_back(-score, row);
  }
  std::sort(wanted.begin(), wanted.end());
  const Rows rows(vectors, kDim);
  const int threads = thread_count();
  for (const int count : {1, 3}) {
    set_thread_count(count);
    const auto hits = rows.top(query, 100)[0];
    ASSERT_EQ(hits.size(), 100U);
    for (std::size_t i = 0; i < hits.size(); ++i) {
      EXPECT_EQ(hits[i].image, wanted[i].second);
      EXPECT_EQ(hits[i].score, -wanted[i].first);
    }
  }
  set_thread_count(threads);
}

// A search of what a mask leaves finds what the mask leaves of a search.
TEST(TopHits, OfAMaskAreThoseOfAllThatItLeaves) {
  constexpr std::size_t kDim = 33;
  constexpr std::size_t kRows = 100'001;  // enough for several threads
  constexpr std::size_t kQueries = 3;
  Random random(6);
  const Rows rows(small_numbers(kRows * kDim, random), kDim);
  const std::vector<float> queries = small_numbers(kQueries * kDim, random);
  const auto all = rows.top(queries, kRows);
  const int threads = thread_count();
  for (const RowMask& mask : masks(kRows, random)) {
    for (const std::size_t k : {1U, 10U, 1000U}) {
      for (const int count : {1, 3}) {
        set_thread_count(count);
        const auto found = rows.top(queries, k, &mask);
        ASSERT_EQ(found.size(), kQueries);
        for (std::size_t q = 0; q < kQueries; ++q) {
          std::vector<Hit> wanted;
          for (const Hit& hit : all[q]) {
            if (mask[hit.image] && wanted.size() < k) wanted.push_back(hit);
          }
          ASSERT_EQ(found[q].size(), wanted.size());
          for (std::size_t i = 0; i < wanted.size(); ++i) {
            ASSERT_EQ(found[q][i].image, wanted[i].image) << mask.count() << ' ' << k;
            ASSERT_EQ(found[q][i].score, wanted[i].score);
          }
        }
      }
    }
  }
  set_thread_count(threads);
}

// Gaussian rows have close scores: the hardest case for rounding.
TEST(TopHits, RoundingCostsNoRecall) {
  constexpr std::size_t kDim = 128;
  constexpr std::size_t kRows = 20000;
  constexpr std::size_t kQueries = 20;
  constexpr std::size_t kHits = 10;
  Random random(4);
  std::vector<float> vectors(kRows * kDim), queries(kQueries * kDim);
  for (float& number : vectors) number = static_cast<float>(random.normal());
  for (float& number : queries) number = static_cast<float>(random.normal());
  const Rows rows(vectors, kDim);
  const auto found = rows.top(queries, kHits);
  std::size_t right = 0;
  for (std::size_t q = 0; q < kQueries; ++q) {
    std::vector<std::pair<float, std::size_t>> wanted;
    for (std::size_t row = 0; row < kRows; ++row) {
      float score = 0;
      for (std::size_t d = 0; d < kDim; ++d) {
        score += vectors[row * kDim + d] * queries[q * kDim + d];
      }
      wanted.emplace_back(-score, row);
    }
    std::sort(wanted.begin(), wanted.end());
    std::set<std::size_t> best;
    for (std::size_t i = 0; i < kHits; ++i) best.insert(wanted[i].second);
    for (const Hit& hit : found[q]) right += best.contains(hit.image) ? 1 : 0;
    const auto alone = rows.top(std::span(queries).subspan(q * kDim, kDim), kHits)[0];
    for (std::size_t i = 0; i < kHits; ++i) EXPECT_EQ(alone[i].image, found[q][i].image);
  }
  EXPECT_EQ(right, kQueries * kHits);
}

TEST(TopHits, OfAMaskLoseNothingToRoundingEither) {
  constexpr std::size_t kDim = 128;
  constexpr std::size_t kRows = 20000;
  constexpr std::size_t kHits = 10;
  Random random(7);
  std::vector<float> vectors(kRows * kDim), query(kDim);
  for (float& number : vectors) number = static_cast<float>(random.normal());
  for (float& number : query) number = static_cast<float>(random.normal());
  const Rows rows(vectors, kDim);
  for (const RowMask& mask : masks(kRows, random)) {
    const auto wanted = best_rows(mask.listed(), vectors, query, kHits);
    const auto found = rows.top(query, kHits, &mask).front();
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_EQ(found[i].image, wanted[i].image);
  }
}

TEST(TopHits, MoreThanThereAreAndNone) {
  const Rows rows({1, 2, 3}, 1);
  const std::vector<float> query = {2};
  EXPECT_EQ(rows.top(query, 10)[0].size(), 3U);
  EXPECT_TRUE(rows.top(query, 0)[0].empty());
  EXPECT_TRUE(Rows({}, 1).top(query, 5)[0].empty());
}

TEST(TopHits, AQueryThatIsNotFiniteFindsNothingAndHarmsNothing) {
  const Rows rows({1, 2, 3, 4}, 2);
  const std::vector<float> query = {std::numeric_limits<float>::quiet_NaN(), 1};
  EXPECT_TRUE(rows.top(query, 2)[0].empty());
}

TEST(Int8, TheLargestNumberIs127AndZeroRowsStayZero) {
  std::vector<std::int8_t> numbers(3);
  EXPECT_FLOAT_EQ(to_int8(std::vector<float>{0.5F, -1, 0.25F}, numbers), 1.0F / 127);
  EXPECT_EQ(numbers, (std::vector<std::int8_t>{64, -127, 32}));
  EXPECT_EQ(to_int8(std::vector<float>(3), numbers), 0);
  EXPECT_EQ(numbers, std::vector<std::int8_t>(3));
}

}  // namespace
}  // namespace hinny
