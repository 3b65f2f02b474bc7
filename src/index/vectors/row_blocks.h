// The rows of a matrix that a mask leaves, a block at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "index/vectors/row_mask.h"
#include "tensors/matrix.h"

namespace hinny {

// Of an int8 matrix. Blocks without a row that counts are left out. The matrix and the mask must
// outlive it. Safe to share between threads, each with a reader of its own.
class RowBlocks {
 public:
  static constexpr std::size_t kRows = 256;  // with a vector of 512: half of a second-level cache

  // `among`: null for all rows.
  RowBlocks(const Matrix& scan, const RowMask* among);

  std::size_t size() const { return firsts_.size(); }
  std::size_t columns() const { return scan_.columns; }
  // How many rows count.
  std::size_t rows() const { return rows_; }

  // Of a block, the rows that count. Where they follow each other the numbers are the matrix's own.
  struct Block {
    std::size_t count = 0;
    const std::size_t* rows = nullptr;     // where they stand in the matrix
    const std::int8_t* numbers = nullptr;  // [count, columns]
    const float* scales = nullptr;         // [count]
  };
  class Reader {
   public:
    explicit Reader(const RowBlocks& blocks);
    // Valid until the next call.
    Block read(std::size_t block);
    // Of its rows, which are in order, those for which `wanted` is true.
    Block read_if(std::size_t block, const std::function<bool(std::size_t)>& wanted);

   private:
    Block numbers_of_listed();
    const RowBlocks& blocks_;
    std::vector<std::size_t> rows_;
    std::vector<std::int8_t> numbers_;
    std::vector<float> scales_;
  };

  // The rows of a block that count, in order.
  template <typename Use>
  void for_each_row(std::size_t block, const Use& use) const {
    const std::size_t first = firsts_[block];
    const std::size_t end = std::min(first + kRows, scan_.rows);
    if (among_ != nullptr) return among_->for_each(first, end, use);
    for (std::size_t row = first; row < end; ++row) use(row);
  }
  // Calls use(begin, end) for parts of the blocks, on several threads where all of them are worth
  // that: `work` is what there is to do with a byte of a row.
  void in_parts(std::size_t work, const std::function<void(std::size_t, std::size_t)>& use) const;

 private:
  Matrix scan_;
  const RowMask* among_;
  std::size_t rows_ = 0;
  std::vector<std::size_t> firsts_;  // of each block, its first row
};

}  // namespace hinny
