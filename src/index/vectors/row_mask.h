// Which rows of a collection count: what a filter leaves, what is still there.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace hinny {

// A bit for each row. Safe to read from several threads.
class RowMask {
 public:
  static constexpr std::size_t kWordRows = 64;

  // Of no row, or of all.
  explicit RowMask(std::size_t rows, bool all = false)
      : rows_(rows), words_((rows + kWordRows - 1) / kWordRows, all ? ~std::uint64_t{0} : 0) {
    if (all && rows % kWordRows != 0) words_.back() >>= kWordRows - rows % kWordRows;
  }
  // Of these rows.
  RowMask(std::size_t rows, std::span<const std::size_t> chosen) : RowMask(rows) {
    for (const std::size_t row : chosen) add(row);
  }

  std::size_t rows() const { return rows_; }  // whether they count or not
  bool operator[](std::size_t row) const {
    return (words_[row / kWordRows] >> (row % kWordRows) & 1U) != 0;
  }
  void add(std::size_t row) { words_[row / kWordRows] |= std::uint64_t{1} << (row % kWordRows); }
  void remove(std::size_t row) {
    words_[row / kWordRows] &= ~(std::uint64_t{1} << (row % kWordRows));
  }
  // Leaves those that are in the other as well, which is of as many rows.
  void keep(const RowMask& other) {
    std::ranges::transform(words_, other.words_, words_.begin(), std::bit_and<>());
  }
  // Leaves those of [begin, end) for which `keeps(row)` is true; `begin` is a multiple of
  // kWordRows, so that several threads may each have a part.
  template <typename Keeps>
  void keep_if(std::size_t begin, std::size_t end, const Keeps& keeps) {
    for (; begin < end; begin += kWordRows) {
      std::uint64_t& word = words_[begin / kWordRows];
      std::uint64_t left = 0;
      for (std::uint64_t rest = word; rest != 0; rest &= rest - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(rest));
        if (keeps(begin + bit)) left |= std::uint64_t{1} << bit;
      }
      word = left;
    }
  }

  std::size_t count() const { return count(0, rows_); }
  // Of [begin, end), where `begin` is a multiple of kWordRows, and `end` is one or rows().
  std::size_t count(std::size_t begin, std::size_t end) const {
    std::size_t sum = 0;
    for (std::size_t at = begin; at < end; at += kWordRows) {
      sum += static_cast<std::size_t>(std::popcount(words_[at / kWordRows]));
    }
    return sum;
  }
  bool none() const {
    return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
  }
  // Calls use(row) for each of [begin, end) in order, bounded as count's.
  template <typename Use>
  void for_each(std::size_t begin, std::size_t end, const Use& use) const {
    for (; begin < end; begin += kWordRows) {
      for (std::uint64_t rest = words_[begin / kWordRows]; rest != 0; rest &= rest - 1) {
        use(begin + static_cast<std::size_t>(std::countr_zero(rest)));
      }
    }
  }
  // All of them, in order.
  std::vector<std::size_t> listed() const {
    std::vector<std::size_t> rows;
    rows.reserve(count());
    for_each(0, rows_, [&](std::size_t row) { rows.push_back(row); });
    return rows;
  }

 private:
  std::size_t rows_;
  std::vector<std::uint64_t> words_;
};

}  // namespace hinny
