// How a graph of neighbours lies in its file and, byte for byte, in memory: the layout of hnswlib
// 0.6, so that its graphs stay readable. A header; for each node a record of its lowest links, its
// numbers, its scale and the index's row that it stands for; then for each node the links of its
// upper levels. A node of no row is dead: walks lead through it, but it is not found. A graph of an
// index of codes has neither numbers nor scales, which is 0 columns, and no dead nodes.
// docs/formats/index.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/mapped_file.h"
#include "tensors/matrix.h"

namespace hinny {

constexpr std::size_t kLinks = 16;  // of a node on each level; twice as many on the lowest
constexpr std::size_t kLowestLinks = 2 * kLinks;
constexpr std::size_t kListBytes = sizeof(std::uint32_t) * (1 + kLinks);  // its length, its nodes
constexpr std::size_t kBuildWidth = 128;  // candidates while linking
constexpr int kMostLevels = 64;

constexpr std::size_t most_links(int level) { return level == 0 ? kLowestLinks : kLinks; }

struct GraphHeader {
  std::uint64_t start, most_nodes, nodes, record, label_place, numbers_place;
  std::int32_t levels;  // the greatest of any node; the lowest is 0
  std::uint32_t entry;  // a node that has it
  std::uint64_t level_links, lowest_links, links;
  double level_factor;
  std::uint64_t build_width;

  // Of a graph of so many nodes, none of which is on any level yet.
  static GraphHeader of(std::size_t nodes, std::size_t columns);
  bool operator==(const GraphHeader&) const = default;
};

// Something to compare nodes with: int8 numbers, which stand for `scale` times as much.
struct GraphPoint {
  const std::int8_t* numbers;
  float scale;
};

struct Near {
  float distance;  // smaller is nearer
  std::uint32_t node;
  // Of equal distances the earlier node. NOLINTNEXTLINE(modernize-use-nullptr): there is no
  // pointer.
  auto operator<=>(const Near&) const = default;
};

// What a walk leads to. For one thread.
class GraphAim {
 public:
  virtual ~GraphAim() = default;
  // Asks for what measure() reads of a node from memory: it is needed soon.
  virtual void fetch(std::uint32_t node) const = 0;
  // Appends the nodes with minus their products with it, or what has the same order.
  virtual void measure(std::span<const std::uint32_t> nodes, std::vector<Near>& out) const = 0;
};

// Reads a graph's bytes, which must outlive it. Unchecked but for the constructor: what it accepted
// can be walked without leaving the bytes.
class GraphLayout {
 public:
  // Throws InputError naming `file` when the bytes are no sound graph of so many rows with nodes of
  // so many numbers: each row must have one node.
  GraphLayout(std::span<const std::byte> bytes, std::size_t rows, std::size_t columns,
              const std::filesystem::path& file);
  // Of bytes being made: nodes with these levels, not linked yet. The first dead.size() of them are
  // dead where it says so.
  GraphLayout(std::span<const std::byte> bytes, std::size_t columns,
              std::span<const std::uint8_t> levels, std::vector<bool> dead);

  std::size_t columns() const { return columns_; }
  std::size_t nodes() const { return upper_.size(); }
  // The index's row, of a node that is not dead; those of dead ones are none.
  std::size_t row(std::size_t node) const;
  bool dead(std::size_t node) const { return node < dead_.size() && dead_[node]; }
  int level(std::size_t node) const;
  std::span<const std::uint32_t> links(std::size_t node, int level) const;
  GraphPoint point(std::size_t node) const;
  // Appends nodes with minus the product of both vectors.
  void measure(const GraphPoint& from, std::span<const std::uint32_t> nodes,
               std::vector<Near>& out) const;
  // As GraphAim has it, of a node's numbers; and of its links on a level.
  void fetch(std::size_t node) const;
  void fetch_links(std::size_t node, int level) const;

  // Where in the bytes: a list of links (its length as 32 bits, then the nodes) and a record's
  // parts.
  std::size_t links_place(std::size_t node, int level) const;
  std::size_t upper_place(std::size_t node) const { return upper_[node]; }
  std::size_t numbers_place(std::size_t node) const;
  std::size_t label_place(std::size_t node) const;

 private:
  bool sizes_are_sound(std::size_t rows);
  bool links_are_sound() const;
  bool find_dead(std::size_t rows);

  std::span<const std::byte> bytes_;
  std::size_t columns_;
  std::size_t record_;
  std::vector<std::uint64_t>
      upper_;               // where each node's upper links begin, by their length in bytes
  std::vector<bool> dead_;  // by node; empty where none is
};

// A point, by the numbers of the nodes.
class PointAim final : public GraphAim {
 public:
  PointAim(const GraphLayout& graph, const GraphPoint& to) : graph_(graph), to_(to) {}
  void fetch(std::uint32_t node) const override { graph_.fetch(node); }
  void measure(std::span<const std::uint32_t> nodes, std::vector<Near>& out) const override {
    graph_.measure(to_, nodes, out);
  }

 private:
  const GraphLayout& graph_;
  GraphPoint to_;
};

// A graph's file, which must have this content_hash. Throws InputError where it has another.
MappedFile map_graph(const std::filesystem::path& file, const std::string& hash);

// The bytes that a graph of nodes with these levels takes.
std::size_t graph_bytes(std::size_t columns, std::span<const std::uint8_t> levels);

}  // namespace hinny
