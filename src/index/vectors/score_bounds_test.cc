#include "index/vectors/score_bounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"
#include "index/vectors/row_blocks.h"

namespace hinny {
namespace {

double length_of(std::span<const float> row) {
  return std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
}

// Products in int8 and in full differ by what numbers are rounded by, and by no more, whatever the
// rows are like.
TEST(ScoreBounds, Int8AndFullProductsDifferByTheRoundingAtMost) {
  constexpr std::size_t kRows = 700, kQueries = 3;
  Random random(12);
  for (const std::size_t columns : {1U, 6U, 33U, 512U}) {
    std::vector<float> rows(kRows * columns), queries(kQueries * columns);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const std::size_t row = i / columns;
      // Of any size, all numbers alike, one far from the others, and zero.
      const double size = std::pow(10.0, static_cast<double>(row % 5) - 3);
      rows[i] = static_cast<float>(row % 11 == 0   ? size
                                   : row % 13 == 0 ? 0
                                   : row % 7 == 0  ? (i % columns == 0 ? 100 * size : size)
                                                   : size * random.normal());
    }
    for (float& x : queries) x = static_cast<float>(random.normal());
    std::vector<std::int8_t> bytes(rows.size()), rounded(columns);
    std::vector<float> scales;
    for (std::size_t at = 0; at < rows.size(); at += columns) {
      scales.push_back(
          to_int8(std::span(rows).subspan(at, columns), std::span(bytes).subspan(at, columns)));
    }
    const Matrix scan{TensorType::int8, std::as_bytes(std::span(bytes)).data(), kRows, columns,
                      scales};
    const ScoreBounds bounds(scan, queries);
    const RowBlocks blocks(scan, nullptr);
    RowBlocks::Reader reader(blocks);
    std::vector<float> most;
    for (std::size_t b = 0; b < blocks.size(); ++b) {
      const RowBlocks::Block block = reader.read(b);
      bounds.at_most(block, most);
      for (std::size_t q = 0; q < kQueries; ++q) {
        const auto query = std::span(queries).subspan(q * columns, columns);
        const float query_scale = to_int8(query, rounded);
        for (std::size_t r = 0; r < block.count; ++r) {
          const auto row = std::span(rows).subspan(block.rows[r] * columns, columns);
          const double product = std::inner_product(row.begin(), row.end(), query.begin(), 0.0);
          const double bound = static_cast<double>(most[q * block.count + r]);
          // Each of the two is rounded by half of its scale at most, in each number.
          const double half = 0.5 * std::sqrt(static_cast<double>(columns));
          const double off =
              half * (static_cast<double>(block.scales[r]) * length_of(query) +
                      static_cast<double>(query_scale) *
                          (length_of(row) + half * static_cast<double>(block.scales[r])));
          EXPECT_GE(bound, product) << columns << " " << block.rows[r];
          EXPECT_LE(bound, product + 2.01 * off + 3e-4) << columns << " " << block.rows[r];
        }
      }
    }
  }
}

}  // namespace
}  // namespace hinny
