#include "index/vectors/graph_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kLowestBytes = sizeof(std::uint32_t) * (1 + kLowestLinks);
constexpr std::size_t kCacheLine = 64;

// Numbers, their scale, and zeros up to a whole 32 bits.
std::size_t row_bytes(std::size_t columns) {
  return (columns + 2 * sizeof(float) - 1) / sizeof(float) * sizeof(float);
}

std::size_t record_bytes(std::size_t columns) {
  return kLowestBytes + row_bytes(columns) + sizeof(std::uint64_t);
}

template <typename T>
T read(std::span<const std::byte> bytes, std::size_t place) {
  T value{};
  std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

void fetch_bytes(const std::byte* from, std::size_t count) {
  for (std::size_t i = 0; i < count; i += kCacheLine) __builtin_prefetch(from + i);
}

}  // namespace

GraphHeader GraphHeader::of(const Matrix& scan) {
  const std::size_t record = record_bytes(scan.columns);
  return {.start = 0,
          .most_rows = scan.rows,
          .rows = scan.rows,
          .record = record,
          .label_place = record - sizeof(std::uint64_t),
          .row_place = kLowestBytes,
          .levels = -1,
          .entry = 0,
          .level_links = kLinks,
          .lowest_links = kLowestLinks,
          .links = kLinks,
          .level_factor = 1 / std::log(1.0 * kLinks),
          .build_width = kBuildWidth};
}

std::size_t graph_bytes(std::size_t columns, std::span<const std::uint8_t> levels) {
  const std::size_t lists = std::accumulate(levels.begin(), levels.end(), std::size_t{0});
  return sizeof(GraphHeader) + levels.size() * (record_bytes(columns) + sizeof(std::uint32_t)) +
         lists * kListBytes;
}

GraphLayout::GraphLayout(std::span<const std::byte> bytes, const Matrix& scan,
                         const std::filesystem::path& file)
    : bytes_(bytes), columns_(scan.columns), record_(record_bytes(scan.columns)) {
  if (!sizes_are_sound(scan) || !links_are_sound(scan.rows)) {
    throw InputError(file, "is no graph of the index's images", "one that `hinny index` wrote");
  }
}

GraphLayout::GraphLayout(std::span<const std::byte> bytes, std::size_t columns,
                         std::span<const std::uint8_t> levels)
    : bytes_(bytes), columns_(columns), record_(record_bytes(columns)) {
  std::size_t place = sizeof(GraphHeader) + levels.size() * record_;
  for (const std::uint8_t level : levels) {
    upper_.push_back(place);
    place += sizeof(std::uint32_t) + level * kListBytes;
  }
}

// Sizes follow from each other: then everything lies inside the bytes.
bool GraphLayout::sizes_are_sound(const Matrix& scan) {
  if (bytes_.size() < sizeof(GraphHeader)) return false;
  const auto header = read<GraphHeader>(bytes_, 0);
  GraphHeader wanted = GraphHeader::of(scan);
  wanted.levels = header.levels;
  wanted.entry = header.entry;
  if (header != wanted || header.levels < 0 || header.levels >= kMostLevels) return false;
  std::size_t place = sizeof header + scan.rows * record_;
  upper_.reserve(scan.rows);
  for (std::size_t row = 0; row < scan.rows; ++row) {
    if (bytes_.size() < place + sizeof(std::uint32_t)) return false;
    const auto length = read<std::uint32_t>(bytes_, place);
    if (length % kListBytes != 0 || length / kListBytes >= kMostLevels) return false;
    upper_.push_back(place);
    place += sizeof length + length;
  }
  return place == bytes_.size();
}

// Every link leads to a row that has the level.
bool GraphLayout::links_are_sound(std::size_t rows) const {
  const auto header = read<GraphHeader>(bytes_, 0);
  if (header.entry >= rows || header.levels != level(header.entry)) return false;
  for (std::size_t row = 0; row < rows; ++row) {
    if (read<std::uint64_t>(bytes_, label_place(row)) != row) return false;
    for (int at = 0; at <= level(row); ++at) {
      if (read<std::uint32_t>(bytes_, links_place(row, at)) > most_links(at)) return false;
      for (const std::uint32_t link : links(row, at)) {
        if (link >= rows || level(link) < at) return false;
      }
    }
  }
  return true;
}

std::size_t GraphLayout::links_place(std::size_t row, int level) const {
  if (level == 0) return sizeof(GraphHeader) + row * record_;
  return upper_[row] + sizeof(std::uint32_t) + static_cast<std::size_t>(level - 1) * kListBytes;
}

std::size_t GraphLayout::row_place(std::size_t row) const {
  return links_place(row, 0) + kLowestBytes;
}

std::size_t GraphLayout::label_place(std::size_t row) const {
  return links_place(row, 0) + record_ - sizeof(std::uint64_t);
}

int GraphLayout::level(std::size_t row) const {
  return static_cast<int>(read<std::uint32_t>(bytes_, upper_[row]) / kListBytes);
}

std::span<const std::uint32_t> GraphLayout::links(std::size_t row, int level) const {
  const std::size_t place = links_place(row, level);
  // Everything before a list is whole 32 bits long, and the bytes begin at a page or a vector.
  const auto* first = reinterpret_cast<const std::uint32_t*>(bytes_.data() + place);
  return {first + 1, *first};
}

GraphPoint GraphLayout::point(std::size_t row) const {
  const std::byte* numbers = bytes_.data() + row_place(row);
  float scale = 0;
  std::memcpy(&scale, numbers + columns_, sizeof scale);
  return {reinterpret_cast<const std::int8_t*>(numbers), scale};
}

void GraphLayout::measure(const GraphPoint& from, std::span<const std::uint32_t> rows,
                          std::vector<Near>& out) const {
  constexpr std::size_t kAtOnce = 64;
  std::array<const std::int8_t*, kAtOnce> numbers;
  std::array<float, kAtOnce> scales;
  std::array<std::int32_t, kAtOnce> products;
  while (!rows.empty()) {
    const std::size_t count = std::min(rows.size(), kAtOnce);
    for (std::size_t i = 0; i < count; ++i) {
      const GraphPoint to = point(rows[i]);
      numbers[i] = to.numbers;
      scales[i] = to.scale;
    }
    dot_kernels().i8_apart(numbers.data(), count, columns_, from.numbers, products.data());
    for (std::size_t i = 0; i < count; ++i) {
      out.push_back({-static_cast<float>(products[i]) * from.scale * scales[i], rows[i]});
    }
    rows = rows.subspan(count);
  }
}

void GraphLayout::fetch(std::size_t row) const {
  fetch_bytes(bytes_.data() + row_place(row), row_bytes(columns_));
}

void GraphLayout::fetch_links(std::size_t row, int level) const {
  fetch_bytes(bytes_.data() + links_place(row, level), level == 0 ? kLowestBytes : kListBytes);
}

}  // namespace hinny
