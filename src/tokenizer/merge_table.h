// Which two pieces become one, and which of them first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace hinny {

// A view of int32 rows (left, right, both), the first to go first, and of a table by which a pair's
// row is found: open addressing, a power of two of int32 rows, -1 where there is none.
class MergeTable {
 public:
  MergeTable() = default;
  MergeTable(std::span<const std::byte> rows, std::span<const std::byte> slots);

  struct Merge {
    std::int32_t rank = 0;
    std::int32_t both = 0;
  };
  std::optional<Merge> find(std::int32_t left, std::int32_t right) const;

  // Which slots these rows take; of two rows of one pair the later holds. Throws std::length_error
  // for rows made so that they all want the same slots.
  static std::vector<std::int32_t> slots(const std::vector<std::array<std::int32_t, 3>>& rows);

 private:
  std::span<const std::byte> rows_, slots_;
  std::size_t mask_ = 0;
};

}  // namespace hinny
