#include "index/vectors/score_bounds.h"

#include <cmath>
#include <numeric>

#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

constexpr float kFloatRounding = 1e-4F;  // of what is computed in float here

}  // namespace

ScoreBounds::ScoreBounds(const Scan& scan, std::span<const float> vectors)
    : scan_(scan), count_(vectors.size() / scan.columns()) {
  if (scan.space) {
    CodeQueries prepared(*scan.space, vectors);
    numbers_ = std::move(prepared.numbers);
    queries_ = std::move(prepared.each);
    return;
  }
  const std::size_t columns = scan.columns();
  numbers_.resize(vectors.size());
  for (std::size_t v = 0; v < count_; ++v) {
    const auto row = vectors.subspan(v * columns, columns);
    scales_.push_back(to_int8(row, std::span(numbers_).subspan(v * columns, columns)));
    lengths_.push_back(std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0F)));
  }
}

void ScoreBounds::at_most(const RowBlocks::Block& block, std::vector<float>& most) const {
  std::vector<std::int32_t> sums(count_ * block.count);
  most.resize(sums.size());
  scan_.multiply(block.numbers, block.count, numbers_.data(), count_, sums.data());
  if (scan_.space) {
    by_codes(block, sums, most);
  } else {
    by_int8(block, sums, most);
  }
}

void ScoreBounds::by_int8(const RowBlocks::Block& block, std::span<const std::int32_t> sums,
                          std::span<float> most) const {
  const std::size_t columns = scan_.rows.columns;
  const float half = 0.5F * std::sqrt(static_cast<float>(columns));
  for (std::size_t r = 0; r < block.count; ++r) {
    std::int32_t squares = 0;
    const std::int8_t* row = block.numbers + r * columns;
    dot_kernels().i8(row, 1, columns, row, 1, &squares);
    const float rounded = block.scales[r] * std::sqrt(static_cast<float>(squares));
    for (std::size_t v = 0; v < count_; ++v) {
      const std::size_t at = v * block.count + r;
      const float about = static_cast<float>(sums[at]) * block.scales[r] * scales_[v];
      // Each number is rounded by half of its row's scale at most.
      const float off = half * (block.scales[r] * lengths_[v] + scales_[v] * rounded);
      most[at] = about + (1 + kFloatRounding) * off + kFloatRounding;
    }
  }
}

void ScoreBounds::by_codes(const RowBlocks::Block& block, std::span<const std::int32_t> sums,
                           std::span<float> most) const {
  for (std::size_t v = 0; v < count_; ++v) {
    const auto [scale, offset, length] = queries_[v];
    for (std::size_t r = 0; r < block.count; ++r) {
      const std::size_t at = v * block.count + r;
      const float about = offset + static_cast<float>(sums[at]) * block.scales[r] * scale;
      most[at] = about + kSure * length * scan_.errors[block.rows[r]] + kFloatRounding;
    }
  }
}

}  // namespace hinny
