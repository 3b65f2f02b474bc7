#include "tokenizer/merge_table.h"

#include <bit>
#include <stdexcept>

#include "tokenizer/piece_table.h"

namespace hinny {
namespace {

// From its first slot to its own, a row's way is no longer, whatever a file holds.
constexpr std::size_t kLongestWay = 1000;

std::size_t hashed(std::int32_t left, std::int32_t right) {
  const std::uint64_t pair =
      std::uint64_t{static_cast<std::uint32_t>(left)} << 32U | static_cast<std::uint32_t>(right);
  const std::uint64_t mixed = (pair ^ pair >> 29U) * 0x9E3779B97F4A7C15U;
  return static_cast<std::size_t>(mixed ^ mixed >> 32U);
}

}  // namespace

MergeTable::MergeTable(std::span<const std::byte> rows, std::span<const std::byte> slots)
    : rows_(rows), slots_(slots) {
  // Of another size it holds nothing: every pair is unknown.
  const std::size_t count = slots.size() / sizeof(std::int32_t);
  if (std::has_single_bit(count)) mask_ = count - 1;
}

std::optional<MergeTable::Merge> MergeTable::find(std::int32_t left, std::int32_t right) const {
  if (mask_ == 0) return std::nullopt;
  const std::size_t rows = rows_.size() / (3 * sizeof(std::int32_t));
  const std::size_t start = hashed(left, right);
  for (std::size_t i = 0; i < kLongestWay; ++i) {
    const auto rank = number_at<std::int32_t>(slots_, (start + i) & mask_);
    if (rank < 0 || static_cast<std::size_t>(rank) >= rows) return std::nullopt;
    const std::size_t row = std::size_t{3} * static_cast<std::size_t>(rank);
    if (number_at<std::int32_t>(rows_, row) == left &&
        number_at<std::int32_t>(rows_, row + 1) == right) {
      return Merge{rank, number_at<std::int32_t>(rows_, row + 2)};
    }
  }
  return std::nullopt;
}

std::vector<std::int32_t> MergeTable::slots(const std::vector<std::array<std::int32_t, 3>>& rows) {
  const std::size_t size = std::bit_ceil(rows.size() + rows.size() / 2 + 2);
  std::vector<std::int32_t> slots(size, -1);
  for (std::size_t rank = 0; rank < rows.size(); ++rank) {
    std::size_t at = hashed(rows[rank][0], rows[rank][1]) & (size - 1);
    for (std::size_t way = 0; slots[at] >= 0; ++way) {
      if (way == kLongestWay - 1) throw std::length_error("MergeTable: pairs of one hash");
      const auto& other = rows[static_cast<std::size_t>(slots[at])];
      if (other[0] == rows[rank][0] && other[1] == rows[rank][1]) break;
      at = (at + 1) & (size - 1);
    }
    slots[at] = static_cast<std::int32_t>(rank);
  }
  return slots;
}

}  // namespace hinny
