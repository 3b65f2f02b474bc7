// What products of rows with a few vectors are at most, by what a scan reads of the rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/vectors/row_blocks.h"
#include "index/vectors/scan.h"

namespace hinny {

// Safe to share between threads.
class ScoreBounds {
 public:
  // `vectors` [count, scan.columns()]; what lies under the scan must outlive it.
  ScoreBounds(const Scan& scan, std::span<const float> vectors);

  // most[v * block.count + r], for a block of the scan's rows: no product is larger. In int8 that
  // is certain; of codes it holds but for one row in a billion (kSure).
  void at_most(const RowBlocks::Block& block, std::vector<float>& most) const;

 private:
  void by_int8(const RowBlocks::Block& block, std::span<const std::int32_t> sums,
               std::span<float> most) const;
  void by_codes(const RowBlocks::Block& block, std::span<const std::int32_t> sums,
                std::span<float> most) const;

  Scan scan_;
  std::size_t count_;
  std::vector<std::int8_t> numbers_;     // [count, columns], or rotated
  std::vector<float> scales_, lengths_;  // int8: of the vectors
  std::vector<CodeSpace::Query> queries_;
};

}  // namespace hinny
