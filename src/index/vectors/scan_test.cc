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
  std::vector<std::vector<Hit>> top(std::span<const float> queries, std::size_t k) const {
    const Matrix scan{TensorType::int8, std::as_bytes(std::span(bytes)).data(), scales.size(), dim,
                      scales};
    return top_hits(scan, vectors, queries, k);
  }
};

TEST(TopHits, AreExactInAnyNumberOfThreadsAndTiesGoByPosition) {
  constexpr std::size_t kDim = 33;
  constexpr std::size_t kRows = 300000;  // enough for several threads
  Random random(3);
  std::vector<float> vectors(kRows * kDim), query(kDim);
  for (float& number : vectors) number = static_cast<float>(random.below(3)) - 1.0F;  // many ties
  for (float& number : query) number = static_cast<float>(random.below(3)) - 1.0F;
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
