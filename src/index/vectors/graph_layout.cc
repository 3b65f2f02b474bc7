#include "index/vectors/graph_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/content_hash.h"
#include "base/error.h"
#include "retrieval/dot_kernels.h"

namespace hinny {
namespace {

constexpr std::size_t kLowestBytes = sizeof(std::uint32_t) * (1 + kLowestLinks);
constexpr std::size_t kCacheLine = 64;

// Numbers, their scale, and zeros up to a whole 32 bits.
std::size_t row_bytes(std::size_t columns) {
  if (columns == 0) return 0;
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

MappedFile map_graph(const std::filesystem::path& file, const std::string& hash) {
  if (std::filesystem::is_regular_file(file)) {
    MappedFile mapped(file);
    const auto bytes = mapped.bytes();
    if (content_hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()}) == hash) {
      return mapped;
    }
  }
  throw InputError(file, "is not the graph that belongs to this index", "an unaltered file");
}

GraphHeader GraphHeader::of(std::size_t nodes, std::size_t columns) {
  const std::size_t record = record_bytes(columns);
  return {.start = 0,
          .most_nodes = nodes,
          .nodes = nodes,
          .record = record,
          .label_place = record - sizeof(std::uint64_t),
          .numbers_place = kLowestBytes,
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

GraphLayout::GraphLayout(std::span<const std::byte> bytes, std::size_t rows, std::size_t columns,
                         const std::filesystem::path& file)
    : bytes_(bytes), columns_(columns), record_(record_bytes(columns)) {
  if (!sizes_are_sound(rows) || !links_are_sound() || !find_dead(rows)) {
    throw InputError(file, "is no graph of the index's images", "one that `hinny index` wrote");
  }
}

GraphLayout::GraphLayout(std::span<const std::byte> bytes, std::size_t columns,
                         std::span<const std::uint8_t> levels, std::vector<bool> dead)
    : bytes_(bytes), columns_(columns), record_(record_bytes(columns)), dead_(std::move(dead)) {
  std::size_t place = sizeof(GraphHeader) + levels.size() * record_;
  for (const std::uint8_t level : levels) {
    upper_.push_back(place);
    place += sizeof(std::uint32_t) + level * kListBytes;
  }
}

// Sizes follow from each other: then everything lies inside the bytes.
bool GraphLayout::sizes_are_sound(std::size_t rows) {
  if (bytes_.size() < sizeof(GraphHeader)) return false;
  const auto header = read<GraphHeader>(bytes_, 0);
  if (header.nodes < rows || header.nodes > bytes_.size() / record_) return false;
  if (columns_ == 0 && header.nodes > rows) return false;
  GraphHeader wanted = GraphHeader::of(header.nodes, columns_);
  wanted.levels = header.levels;
  wanted.entry = header.entry;
  if (header != wanted || header.levels < 0 || header.levels >= kMostLevels) return false;
  std::size_t place = sizeof header + header.nodes * record_;
  upper_.reserve(header.nodes);
  for (std::size_t node = 0; node < header.nodes; ++node) {
    if (bytes_.size() < place + sizeof(std::uint32_t)) return false;
    const auto length = read<std::uint32_t>(bytes_, place);
    if (length % kListBytes != 0 || length / kListBytes >= kMostLevels) return false;
    upper_.push_back(place);
    place += sizeof length + length;
  }
  return place == bytes_.size();
}

// Every link leads to a node that has the level.
bool GraphLayout::links_are_sound() const {
  const auto header = read<GraphHeader>(bytes_, 0);
  if (header.entry >= nodes() || header.levels != level(header.entry)) return false;
  for (std::size_t node = 0; node < nodes(); ++node) {
    for (int at = 0; at <= level(node); ++at) {
      if (read<std::uint32_t>(bytes_, links_place(node, at)) > most_links(at)) return false;
      for (const std::uint32_t link : links(node, at)) {
        if (link >= nodes() || level(link) < at) return false;
      }
    }
  }
  return true;
}

// Which nodes are dead; whether each row has one node, and each dead node a number behind the rows.
bool GraphLayout::find_dead(std::size_t rows) {
  std::vector<bool> named(nodes());
  if (nodes() > rows) dead_.resize(nodes());
  for (std::size_t node = 0; node < nodes(); ++node) {
    const std::size_t label = row(node);
    if (label >= nodes() || named[label]) return false;
    named[label] = true;
    if (label >= rows) dead_[node] = true;
  }
  return true;
}

std::size_t GraphLayout::row(std::size_t node) const {
  return read<std::uint64_t>(bytes_, label_place(node));
}

std::size_t GraphLayout::links_place(std::size_t node, int level) const {
  if (level == 0) return sizeof(GraphHeader) + node * record_;
  return upper_[node] + sizeof(std::uint32_t) + static_cast<std::size_t>(level - 1) * kListBytes;
}

std::size_t GraphLayout::numbers_place(std::size_t node) const {
  return links_place(node, 0) + kLowestBytes;
}

std::size_t GraphLayout::label_place(std::size_t node) const {
  return links_place(node, 0) + record_ - sizeof(std::uint64_t);
}

int GraphLayout::level(std::size_t node) const {
  return static_cast<int>(read<std::uint32_t>(bytes_, upper_[node]) / kListBytes);
}

std::span<const std::uint32_t> GraphLayout::links(std::size_t node, int level) const {
  const std::size_t place = links_place(node, level);
  // Everything before a list is whole 32 bits long, and the bytes begin at a page or a vector.
  const auto* first = reinterpret_cast<const std::uint32_t*>(bytes_.data() + place);
  return {first + 1, *first};
}

GraphPoint GraphLayout::point(std::size_t node) const {
  const std::byte* numbers = bytes_.data() + numbers_place(node);
  float scale = 0;
  std::memcpy(&scale, numbers + columns_, sizeof scale);
  return {reinterpret_cast<const std::int8_t*>(numbers), scale};
}

void GraphLayout::measure(const GraphPoint& from, std::span<const std::uint32_t> nodes,
                          std::vector<Near>& out) const {
  constexpr std::size_t kAtOnce = 64;
  std::array<const std::int8_t*, kAtOnce> numbers;
  std::array<float, kAtOnce> scales;
  std::array<std::int32_t, kAtOnce> products;
  while (!nodes.empty()) {
    const std::size_t count = std::min(nodes.size(), kAtOnce);
    for (std::size_t i = 0; i < count; ++i) {
      const GraphPoint to = point(nodes[i]);
      numbers[i] = to.numbers;
      scales[i] = to.scale;
    }
    dot_kernels().i8_apart(numbers.data(), count, columns_, from.numbers, products.data());
    for (std::size_t i = 0; i < count; ++i) {
      out.push_back({-static_cast<float>(products[i]) * from.scale * scales[i], nodes[i]});
    }
    nodes = nodes.subspan(count);
  }
}

void GraphLayout::fetch(std::size_t node) const {
  fetch_bytes(bytes_.data() + numbers_place(node), row_bytes(columns_));
}

void GraphLayout::fetch_links(std::size_t node, int level) const {
  fetch_bytes(bytes_.data() + links_place(node, level), level == 0 ? kLowestBytes : kListBytes);
}

}  // namespace hinny
