// Walks a graph of neighbours towards a point (Malkov and Yashunin 2018, Algorithms 2 and 5).
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "index/vectors/graph_layout.h"

namespace hinny {

// Where a walk begins: a node that has the greatest level.
struct GraphEntry {
  std::uint32_t node;
  int level;
};

// One walk at a time; keeps its memory for the next, two bytes for each node of the graph.
class GraphSearch {
 public:
  explicit GraphSearch(std::size_t nodes) : seen_(nodes) {}

  // The node that greedy steps lead to from the entry, on the levels above `level`.
  Near descend(const GraphLayout& graph, const GraphAim& to, GraphEntry entry, int level);
  // The nearest found on a level from `from` on, nearest first, `width` of them at most and none of
  // them dead. Valid until the next call.
  const std::vector<Near>& nearest(const GraphLayout& graph, const GraphAim& to, Near from,
                                   int level, std::size_t width);

 private:
  bool first_seen(std::uint32_t node);
  // fresh_ in measured_, all asked for from memory before the first is looked at: waiting for them
  // one by one is most of what a walk would take.
  void measure_fresh(const GraphAim& to);
  void begin_walk();
  void keep(Near found, bool dead, std::size_t width);

  std::vector<std::uint16_t> seen_;  // by node: the last walk that met it
  std::uint16_t walk_ = 0;
  std::vector<Near> open_;   // a heap, the nearest on top
  std::vector<Near> found_;  // a heap, the farthest on top
  std::vector<std::uint32_t> fresh_;
  std::vector<Near> measured_;
};

// Searches to take and give back, from several threads.
class GraphSearches {
 public:
  explicit GraphSearches(std::size_t nodes) : nodes_(nodes) {}
  std::unique_ptr<GraphSearch> take();
  void give_back(std::unique_ptr<GraphSearch> search);

 private:
  std::size_t nodes_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<GraphSearch>> idle_;
};

}  // namespace hinny
