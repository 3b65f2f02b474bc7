// How a graph of neighbours lies in its file and, byte for byte, in memory: the layout of hnswlib
// 0.6, so that its graphs stay readable. A header; for each row a record of its lowest links, its
// numbers, its scale and its own number; then for each row the links of its upper levels.
// docs/formats/index.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "encoder/matrix.h"

namespace hinny {

constexpr std::size_t kLinks = 16;  // of a row on each level; twice as many on the lowest
constexpr std::size_t kLowestLinks = 2 * kLinks;
constexpr std::size_t kListBytes = sizeof(std::uint32_t) * (1 + kLinks);  // its length, its rows
constexpr std::size_t kBuildWidth = 128;  // candidates while linking
constexpr int kMostLevels = 64;

constexpr std::size_t most_links(int level) { return level == 0 ? kLowestLinks : kLinks; }

struct GraphHeader {
  std::uint64_t start, most_rows, rows, record, label_place, row_place;
  std::int32_t levels;  // the greatest of any row; the lowest is 0
  std::uint32_t entry;  // a row that has it
  std::uint64_t level_links, lowest_links, links;
  double level_factor;
  std::uint64_t build_width;

  // Of a graph of `scan`'s rows that has no row yet on any level.
  static GraphHeader of(const Matrix& scan);
  bool operator==(const GraphHeader&) const = default;
};

// Something to compare rows with: int8 numbers, which stand for `scale` times as much.
struct GraphPoint {
  const std::int8_t* numbers;
  float scale;
};

struct Near {
  float distance;  // smaller is nearer
  std::uint32_t row;
  // Of equal distances the earlier row. NOLINTNEXTLINE(modernize-use-nullptr): there is no pointer.
  auto operator<=>(const Near&) const = default;
};

// Reads a graph's bytes, which must outlive it. Unchecked but for the constructor: what it accepted
// can be walked without leaving the bytes.
class GraphLayout {
 public:
  // Throws InputError naming `file` when the bytes are no sound graph of `scan`'s rows.
  GraphLayout(std::span<const std::byte> bytes, const Matrix& scan,
              const std::filesystem::path& file);
  // Of bytes being made: rows with these levels, not linked yet.
  GraphLayout(std::span<const std::byte> bytes, std::size_t columns,
              std::span<const std::uint8_t> levels);

  std::size_t columns() const { return columns_; }
  int level(std::size_t row) const;
  std::span<const std::uint32_t> links(std::size_t row, int level) const;
  GraphPoint point(std::size_t row) const;
  // Appends rows with minus the product of both vectors.
  void measure(const GraphPoint& from, std::span<const std::uint32_t> rows,
               std::vector<Near>& out) const;
  // Asks for a row's numbers, or for its links on a level, from memory: they are needed soon.
  void fetch(std::size_t row) const;
  void fetch_links(std::size_t row, int level) const;

  // Where in the bytes: a list of links (its length as 32 bits, then the rows) and a record's
  // parts.
  std::size_t links_place(std::size_t row, int level) const;
  std::size_t upper_place(std::size_t row) const { return upper_[row]; }
  std::size_t row_place(std::size_t row) const;
  std::size_t label_place(std::size_t row) const;

 private:
  bool sizes_are_sound(const Matrix& scan);
  bool links_are_sound(std::size_t rows) const;

  std::span<const std::byte> bytes_;
  std::size_t columns_;
  std::size_t record_;
  std::vector<std::uint64_t>
      upper_;  // where each row's upper links begin, by their length in bytes
};

// The bytes that a graph of rows with these levels takes.
std::size_t graph_bytes(std::size_t columns, std::span<const std::uint8_t> levels);

}  // namespace hinny
