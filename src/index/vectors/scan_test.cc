#include "index/vectors/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/random.h"
#include "base/threads.h"
#include "index/folder/vectors_index_fixture.h"
#include "index/vectors/code_file.h"
#include "tests/scratch.h"

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

// A scan of the rows by codes, and what it finds.
struct CodedRows {
  const Scratch folder;
  std::size_t dim;
  std::vector<float> vectors;
  CodeFile file;

  CodedRows(std::vector<float> numbers, std::size_t columns, int bits, bool small_last = false)
      : dim(columns),
        vectors(std::move(numbers)),
        file(written(folder / "codes", vectors, columns, bits, small_last)) {}
  static CodeFile written(const std::filesystem::path& path, const std::vector<float>& vectors,
                          std::size_t columns, int bits, bool small_last) {
    write_codes(path, vectors, columns, 1, bits, small_last);
    return {path, vectors.size() / columns, columns, 1, bits, small_last};
  }
  std::vector<std::vector<Hit>> top(std::span<const float> queries, std::size_t k,
                                    const RowMask* among = nullptr) const {
    return top_hits(file.scan(0), vectors, queries, k, among);
  }
};

bool equal(const std::vector<Hit>& a, const std::vector<Hit>& b) {
  return std::ranges::equal(a, b, [](const Hit& one, const Hit& other) {
    return one.image == other.image && one.score == other.score;
  });
}

// Of rows in clusters, all or nearly all of the best are found, by one question and by several, on
// any number of threads, of all and of what a mask leaves.
TEST(TopHits, ByCodesAreNearlyAlwaysThoseOfAll) {
  constexpr std::size_t kDim = 128, kRows = 20000, kQueries = 30, kHits = 10;
  for (const bool correction : {false, true}) {
    const std::size_t columns = kDim + (correction ? 1 : 0);
    Random random(11);
    const auto rows = [&](std::size_t count, std::uint64_t seed, const auto& last) {
      const auto unit = clustered_vectors(count, kDim, seed);
      if (!correction) return unit;
      std::vector<float> all;
      for (std::size_t i = 0; i < count; ++i) {
        const auto vector = std::span(unit).subspan(i * kDim, kDim);
        all.insert(all.end(), vector.begin(), vector.end());
        all.push_back(last());
      }
      return all;
    };
    const auto vectors =
        rows(kRows, 12, [&] { return static_cast<float>(random.uniform(-0.1, 0)); });
    auto queries = rows(kQueries, 13, [] { return 1.0F; });  // half near to no cluster
    for (std::size_t q = 0; q < kQueries; q += 2) {
      const auto from = vectors.begin() + static_cast<std::ptrdiff_t>(q * 77 * columns);
      std::copy_n(from, kDim, queries.begin() + static_cast<std::ptrdiff_t>(q * columns));
    }
    const int threads = thread_count();
    for (const int bits : kCodeBits) {
      const CodedRows coded(vectors, columns, bits, correction);
      RowMask some(kRows);
      for (std::size_t row = 0; row < kRows; ++row) {
        if (random.below(3) > 0) some.add(row);
      }
      for (const RowMask* among : std::initializer_list<const RowMask*>{nullptr, &some}) {
        const auto listed = (among == nullptr ? RowMask(kRows, true) : *among).listed();
        set_thread_count(1);
        const auto found = coded.top(queries, kHits, among);
        set_thread_count(3);
        const auto again = coded.top(queries, kHits, among);
        std::size_t right = 0;
        for (std::size_t q = 0; q < kQueries; ++q) {
          const auto query = std::span(queries).subspan(q * columns, columns);
          ASSERT_EQ(found[q].size(), kHits);
          EXPECT_TRUE(std::ranges::is_sorted(found[q], ranks_before));
          EXPECT_TRUE(equal(found[q], again[q]));
          EXPECT_TRUE(equal(found[q], coded.top(query, kHits, among).front()));
          const auto wanted = best_rows(listed, vectors, query, kHits);
          for (const Hit& hit : found[q]) {
            right += std::ranges::any_of(wanted, [&](const Hit& one) {
              return one.image == hit.image && one.score == hit.score;
            });
          }
        }
        EXPECT_GE(right, kQueries * kHits * 98 / 100) << bits << ' ' << correction;
      }
    }
    set_thread_count(threads);
  }
}

// A few of very many alike: what stands first among equals is found first.
TEST(TopHits, ByCodesTiesGoByPosition) {
  constexpr std::size_t kDim = 64, kRows = 5000;
  Random random(14);
  std::vector<float> vectors(kRows * kDim);
  for (float& number : vectors) number = static_cast<float>(random.normal());
  for (std::size_t row = 100; row < 400; row += 3) {
    std::copy_n(vectors.begin(), kDim, vectors.begin() + static_cast<std::ptrdiff_t>(row * kDim));
  }
  for (const int bits : kCodeBits) {
    const CodedRows coded(vectors, kDim, bits);
    const auto hits = coded.top(std::span(vectors).first(kDim), 20).front();
    ASSERT_EQ(hits.size(), 20U);
    EXPECT_EQ(hits[0].image, 0U);
    for (std::size_t i = 1; i < hits.size(); ++i) EXPECT_EQ(hits[i].image, 97 + 3 * i) << bits;
  }
}

TEST(TopHits, ByCodesOfFewRowsAreExact) {
  const std::vector<float> vectors = {1, 2, 3, 4, 5, 6};
  for (const int bits : kCodeBits) {
    const CodedRows coded(vectors, 2, bits);
    const auto hits = coded.top(std::vector<float>{1, 0}, 5).front();
    ASSERT_EQ(hits.size(), 3U);
    EXPECT_EQ(hits[0].image, 2U);
    EXPECT_EQ(hits[0].score, 5);
    EXPECT_TRUE(CodedRows({}, 2, bits).top(std::vector<float>{1, 0}, 5).front().empty());
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
