// Links rows into a graph of neighbours (Malkov and Yashunin 2018, Algorithm 1), on all threads.
//
// Rows come in turn, kTogether at once: each finds its neighbours among those linked before, by the
// graph, and among those that came with it and before it, by looking at all of them. Then all link
// back, every row's links being changed by one thread, in the order of rows. So the graph is the
// same on any number of threads, and close to one made row by row.
//
// A graph grows in the same way when the rows change: a node stays where a row has its numbers, the
// other rows become nodes behind them, and only these are linked. A node of no row is dead: new
// ones do not link to it, but walks lead through it. Where nodes have no numbers, they cannot be
// walked through; such a one goes, and what led to it leads to where it led.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <vector>

#include "index/vectors/graph.h"
#include "index/vectors/graph_search.h"

namespace hinny {

class AtomicFile;

class GraphBuilder {
 public:
  static constexpr std::size_t kTogether = 1024;

  // Holds a copy of the rows. Throws InputError when there are more than its numbers can name.
  explicit GraphBuilder(const Matrix& scan);
  // Goes on from `graph`, whose bytes are `bytes`, with the labels_after() of it and `scan`.
  GraphBuilder(const Matrix& scan, std::span<const std::byte> bytes, const GraphLayout& graph,
               std::span<const std::uint64_t> labels);

  // Goes on from a graph without numbers: `row_of` says which row has those of each of its nodes
  // now, kGone where none has.
  static constexpr std::uint64_t kGone = std::numeric_limits<std::uint64_t>::max();
  GraphBuilder(const Matrix& scan, const GraphLayout& graph, std::span<const std::uint64_t> row_of);

  // Links all nodes and writes the file. Shows progress. Throws Failure when the disk does not take
  // it.
  void write(const std::filesystem::path& path, GraphNumbers numbers = GraphNumbers::kept);

 private:
  // A link that `to` should have as well.
  struct Back {
    int level;
    std::uint32_t to, from;
    bool same_list(const Back& other) const { return level == other.level && to == other.to; }
  };

  GraphBuilder(const Matrix& scan, std::span<const std::uint64_t> labels,
               std::vector<std::uint8_t> levels);
  void copy_nodes(std::span<const std::byte> bytes, const GraphLayout& graph);
  void take_links(const GraphLayout& graph, std::span<const std::uint32_t> node_of);
  void copy_rows(const Matrix& scan, std::span<const std::uint64_t> labels);
  std::size_t nodes() const { return levels_.size(); }
  void link_more();
  void find_neighbours(std::size_t node, GraphSearch& search);
  std::vector<Near> nearest_on(const GraphPoint& point, int level, Near& from, GraphSearch& search,
                               std::span<const Near> together) const;
  std::vector<Back> backward_links(std::size_t end) const;
  void link_back(std::span<const Back> links);
  void filter_diverse(std::vector<Near>& nearest, std::size_t most) const;
  void set_links(std::size_t node, int level, std::span<const Near> links);
  void enter_at_highest(std::size_t end);
  void enter_at(GraphEntry entry);
  void write_links(AtomicFile& file) const;

  std::vector<std::uint8_t> levels_;
  std::vector<std::byte> bytes_;
  GraphLayout graph_;
  GraphSearches searches_;
  std::size_t linked_ = 0;
  GraphEntry entry_{0, -1};
};

}  // namespace hinny
