#include "index/vectors/codes.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/random.h"
#include "index/folder/vectors_index_fixture.h"  // clustered_vectors
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

double product(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

std::vector<float> normal_numbers(std::size_t count, Random& random) {
  std::vector<float> numbers(count);
  for (float& number : numbers) number = static_cast<float>(random.normal());
  return numbers;
}

TEST(Rotations, KeepLengthsAndProductsOfAnySize) {
  Random random(1);
  for (const std::size_t columns : {1UL, 7UL, 64UL, 65UL, 500UL, 512UL, 513UL}) {
    const Rotation rotation(columns);
    EXPECT_EQ(rotation.size(), (columns + 63) / 64 * 64);
    const auto a = normal_numbers(columns, random), b = normal_numbers(columns, random);
    std::vector<float> to_a(rotation.size()), to_b(rotation.size());
    rotation.rotate(a, to_a);
    rotation.rotate(b, to_b);
    EXPECT_NEAR(product(to_a, to_b), product(a, b), 1e-4 * static_cast<double>(columns));
    EXPECT_NEAR(product(to_a, to_a), product(a, a), 1e-4 * static_cast<double>(columns));
  }
}

// What codes of every index are read with: other numbers would make them worthless.
TEST(Rotations, AreTheSameEverywhere) {
  const Rotation rotation(100);
  std::vector<float> row(100), out(rotation.size());
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<float>(i * i % 17);
  rotation.rotate(row, out);
  EXPECT_EQ(std::vector<float>(out.begin(), out.begin() + 4),
            std::vector<float>({15.0859375F, -1.0078125F, -12.2578125F, -1.9765625F}));
}

// One number that is not 0 is spread over all, as many small ones are.
TEST(Rotations, SpreadWhatStandsInOnePlace) {
  const Rotation rotation(512);
  std::vector<float> row(512), out(512);
  for (const std::size_t place : {0UL, 100UL, 511UL}) {
    std::ranges::fill(row, 0.0F);
    row[place] = 1;
    rotation.rotate(row, out);
    const float largest = *std::ranges::max_element(out, {}, [](float x) { return std::fabs(x); });
    EXPECT_LT(std::fabs(largest), 0.3F);
  }
}

// Estimates of the products of all rows with all queries, and what they are.
struct Errors {
  double mean = 0, square = 0;  // of errors, in the standard errors that are stored
  double largest = 0;
  std::size_t count = 0;

  void add(const CodeSpace& space, std::span<const float> row, const CodeQueries& queries,
           std::span<const float> all) {
    std::vector<std::uint8_t> code(space.row_bytes());
    const auto [scale, error] = space.encode(row, code);
    std::vector<std::int32_t> sums(queries.each.size());
    dot_kernels().codes(code.data(), 1, code.size(), space.bits(), queries.numbers.data(),
                        sums.size(), sums.data());
    for (std::size_t q = 0; q < sums.size(); ++q) {
      const auto& query = queries.each[q];
      const double estimate =
          static_cast<double>(query.offset + query.scale * scale * static_cast<float>(sums[q]));
      const double off = estimate - product(row, all.subspan(q * row.size(), row.size()));
      const double errors = off / static_cast<double>(error * query.length);
      mean += errors;
      square += errors * errors;
      largest = std::max(largest, std::fabs(errors));
      ++count;
    }
  }
  double mean_error() const { return mean / static_cast<double>(count); }
  double root_mean_square() const { return std::sqrt(square / static_cast<double>(count)); }
};

Errors errors_of(int bits, std::span<const float> rows, std::span<const float> queries,
                 std::size_t columns, bool small_last = false) {
  const CodeSpace space(bits, columns, small_last, centre_of(rows, columns));
  const CodeQueries prepared(space, queries);
  Errors errors;
  for (std::size_t i = 0; i < rows.size(); i += columns) {
    errors.add(space, rows.subspan(i, columns), prepared, queries);
  }
  return errors;
}

// Right in the mean, and as far off as is said, of whatever rows.
void expect_right(const Errors& errors, int bits) {
  EXPECT_NEAR(errors.mean_error(), 0, 0.06) << bits;
  EXPECT_LT(errors.root_mean_square(), 1.1) << bits;
  EXPECT_GT(errors.root_mean_square(), 0.5) << bits;
  EXPECT_LT(errors.largest, static_cast<double>(kSure)) << bits;
}

TEST(Codes, EstimatesOfNormalRowsAreRightInTheMean) {
  Random random(2);
  for (const std::size_t columns : {64UL, 200UL, 512UL}) {
    const auto rows = normal_numbers(500 * columns, random);
    const auto queries = normal_numbers(40 * columns, random);
    for (const int bits : kCodeBits) expect_right(errors_of(bits, rows, queries, columns), bits);
  }
}

TEST(Codes, EstimatesOfClustersAreRightInTheMean) {
  const auto rows = clustered_vectors(800, 128, 3);
  const auto queries = clustered_vectors(50, 128, 4);
  for (const int bits : kCodeBits) expect_right(errors_of(bits, rows, queries, 128), bits);
}

// Few numbers that are not 0, all above 0: as features of pictures are.
TEST(Codes, EstimatesOfSparseRowsAreRightInTheMean) {
  constexpr std::size_t kColumns = 256;
  Random random(5);
  std::vector<float> rows(500 * kColumns), queries(40 * kColumns);
  for (std::vector<float>* some : {&rows, &queries}) {
    for (float& x : *some) {
      x = random.below(20) == 0 ? static_cast<float>(std::fabs(random.normal())) : 0.0F;
    }
  }
  for (const int bits : kCodeBits) expect_right(errors_of(bits, rows, queries, kColumns), bits);
}

// The number behind a vector counts in full, and costs no exactness.
TEST(Codes, ACorrectionIsEstimatedAsWell) {
  constexpr std::size_t kColumns = 129;
  Random random(6);
  std::vector<float> rows, queries;
  const auto unit = clustered_vectors(500, kColumns - 1, 7),
             asked = clustered_vectors(40, kColumns - 1, 8);
  const auto add = [](std::vector<float>& to, std::span<const float> vectors, const auto& last) {
    for (std::size_t i = 0; i < vectors.size(); i += kColumns - 1) {
      const auto vector = vectors.subspan(i, kColumns - 1);
      to.insert(to.end(), vector.begin(), vector.end());
      to.push_back(last());
    }
  };
  add(rows, unit, [&] { return static_cast<float>(random.uniform(-0.2, 0)); });
  add(queries, asked, [] { return 1.0F; });
  for (const int bits : kCodeBits) {
    expect_right(errors_of(bits, rows, queries, kColumns, true), bits);
    const CodeSpace with(bits, kColumns, true, centre_of(rows, kColumns));
    const CodeSpace without(bits, kColumns, false, centre_of(rows, kColumns));
    const auto query = std::span<const float>(queries).first(kColumns);
    std::vector<std::int8_t> numbers(with.rotated());
    EXPECT_LT(with.prepare(query, numbers).length, 1.05F);
    EXPECT_GT(without.prepare(query, numbers).length, 1.4F);
  }
}

// Each bit more halves the error, and more.
TEST(Codes, MoreBitsAreNearer) {
  Random random(9);
  const auto row = normal_numbers(512, random);
  const std::vector<float> centre(512);
  std::vector<float> errors;
  for (const int bits : kCodeBits) {
    const CodeSpace space(bits, 512, false, centre);
    std::vector<std::uint8_t> code(space.row_bytes());
    EXPECT_EQ(code.size(), 64U * static_cast<std::size_t>(bits));
    errors.push_back(space.encode(row, code).error);
  }
  EXPECT_LT(errors[1], errors[0] / 2);
  EXPECT_LT(errors[2], errors[1] / 3);
}

TEST(Codes, RowsWithoutADirectionEstimateTheCentre) {
  constexpr std::size_t kColumns = 70;
  const std::vector<float> centre(kColumns, 0.5F);
  const float huge = std::numeric_limits<float>::max();
  for (const int bits : kCodeBits) {
    const CodeSpace space(bits, kColumns, false, centre);
    std::vector<std::uint8_t> code(space.row_bytes(), 7);
    for (const float number : {0.5F, huge, std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN()}) {
      const auto factors = space.encode(std::vector<float>(kColumns, number), code);
      EXPECT_EQ(factors.scale, 0) << number;
      EXPECT_EQ(factors.error, 0) << number;
      EXPECT_EQ(code, std::vector<std::uint8_t>(code.size())) << number;
    }
  }
}

}  // namespace
}  // namespace hinny
