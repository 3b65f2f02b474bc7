#include "index/vectors/row_blocks.h"

#include <algorithm>
#include <cstring>

#include "base/threads.h"

namespace hinny {
namespace {

constexpr std::size_t kBytesWorthThreads = std::size_t{1} << 23;  // bytes: about a millisecond

}  // namespace

RowBlocks::RowBlocks(const Matrix& scan, const RowMask* among) : scan_(scan), among_(among) {
  for (std::size_t first = 0; first < scan.rows; first += kRows) {
    const std::size_t end = std::min(first + kRows, scan.rows);
    const std::size_t count = among == nullptr ? end - first : among->count(first, end);
    if (count > 0) firsts_.push_back(first);
    rows_ += count;
  }
}

void RowBlocks::in_parts(std::size_t work,
                         const std::function<void(std::size_t, std::size_t)>& use) const {
  if (rows_ * scan_.columns * work < kBytesWorthThreads) {
    if (size() > 0) use(0, size());
  } else {
    parallel_blocks(size(), use);
  }
}

RowBlocks::Reader::Reader(const RowBlocks& blocks) : blocks_(blocks) { rows_.reserve(kRows); }

RowBlocks::Block RowBlocks::Reader::read(std::size_t block) {
  rows_.clear();
  blocks_.for_each_row(block, [this](std::size_t row) { rows_.push_back(row); });
  return numbers_of_listed();
}

RowBlocks::Block RowBlocks::Reader::read_if(std::size_t block,
                                            const std::function<bool(std::size_t)>& wanted) {
  rows_.clear();
  blocks_.for_each_row(block, [&](std::size_t row) {
    if (wanted(row)) rows_.push_back(row);
  });
  return numbers_of_listed();
}

RowBlocks::Block RowBlocks::Reader::numbers_of_listed() {
  const std::size_t count = rows_.size();
  if (count == 0) return {};
  const std::size_t columns = blocks_.scan_.columns;
  const auto* all = reinterpret_cast<const std::int8_t*>(blocks_.scan_.data);
  const float* scales = blocks_.scan_.scales.data();
  if (rows_.back() - rows_.front() + 1 == count) {
    return {count, rows_.data(), all + rows_.front() * columns, scales + rows_.front()};
  }
  numbers_.resize(kRows * columns);
  scales_.resize(kRows);
  for (std::size_t i = 0; i < count;) {
    std::size_t run = 1;
    while (i + run < count && rows_[i + run] == rows_[i] + run) ++run;
    std::memcpy(&numbers_[i * columns], all + rows_[i] * columns, run * columns);
    std::memcpy(&scales_[i], scales + rows_[i], run * sizeof(float));
    i += run;
  }
  return {count, rows_.data(), numbers_.data(), scales_.data()};
}

}  // namespace hinny
