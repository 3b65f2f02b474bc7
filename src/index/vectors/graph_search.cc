#include "index/vectors/graph_search.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace hinny {

void GraphSearch::begin_walk() {
  if (++walk_ == 0) {  // after 65,535 walks
    std::ranges::fill(seen_, std::uint16_t{0});
    walk_ = 1;
  }
  open_.clear();
  found_.clear();
}

bool GraphSearch::first_seen(std::uint32_t node) {
  return std::exchange(seen_[node], walk_) != walk_;
}

void GraphSearch::keep(Near found, bool dead, std::size_t width) {
  if (found_.size() == width && !(found < found_.front())) return;
  open_.push_back(found);
  std::ranges::push_heap(open_, std::greater<>());
  if (dead) return;
  if (found_.size() == width) {
    std::ranges::pop_heap(found_);
    found_.pop_back();
  }
  found_.push_back(found);
  std::ranges::push_heap(found_);
}

void GraphSearch::measure_fresh(const GraphAim& to) {
  for (const std::uint32_t node : fresh_) to.fetch(node);
  measured_.clear();
  to.measure(fresh_, measured_);
}

Near GraphSearch::descend(const GraphLayout& graph, const GraphAim& to, GraphEntry entry,
                          int level) {
  fresh_ = {entry.node};
  measure_fresh(to);
  Near at = measured_.front();
  for (int above = entry.level; above > level; --above) {
    for (Near before = at;; before = at) {
      const auto links = graph.links(at.node, above);
      fresh_.assign(links.begin(), links.end());
      measure_fresh(to);
      for (const Near& other : measured_) at = std::min(at, other);
      if (at == before) break;
    }
  }
  return at;
}

const std::vector<Near>& GraphSearch::nearest(const GraphLayout& graph, const GraphAim& to,
                                              Near from, int level, std::size_t width) {
  begin_walk();
  first_seen(from.node);
  keep(from, graph.dead(from.node), width);
  while (!open_.empty()) {
    const Near at = open_.front();
    if (found_.size() == width && found_.front() < at) break;
    std::ranges::pop_heap(open_, std::greater<>());
    open_.pop_back();
    fresh_.clear();
    for (const std::uint32_t node : graph.links(at.node, level)) {
      if (first_seen(node)) fresh_.push_back(node);
    }
    measure_fresh(to);
    for (const Near& near : measured_) keep(near, graph.dead(near.node), width);
    if (!open_.empty()) graph.fetch_links(open_.front().node, level);
  }
  std::ranges::sort_heap(found_);
  return found_;
}

std::unique_ptr<GraphSearch> GraphSearches::take() {
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      auto search = std::move(idle_.back());
      idle_.pop_back();
      return search;
    }
  }
  return std::make_unique<GraphSearch>(nodes_);
}

void GraphSearches::give_back(std::unique_ptr<GraphSearch> search) {
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(search));
}

}  // namespace hinny
