#include "index/vectors/graph_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/threads.h"

namespace hinny {
namespace {

// Every level has a kLinks-th of the nodes of the one below.
std::vector<std::uint8_t> drawn_levels(std::size_t nodes) {
  if (nodes > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("a graph has at most 4,294,967,295 images");
  }
  Random random(1);
  std::vector<std::uint8_t> levels(nodes);
  for (std::uint8_t& level : levels) {
    const double drawn = -std::log(1 - random.uniform()) / std::log(1.0 * kLinks);
    level = static_cast<std::uint8_t>(std::min(drawn, kMostLevels - 1.0));
  }
  return levels;
}

// Those that the graph has, then drawn ones.
std::vector<std::uint8_t> levels_after(const GraphLayout& graph, std::size_t nodes) {
  std::vector<std::uint8_t> levels = drawn_levels(nodes);
  for (std::size_t node = 0; node < graph.nodes(); ++node) {
    levels[node] = static_cast<std::uint8_t>(graph.level(node));
  }
  return levels;
}

constexpr std::uint32_t kNoNode = std::numeric_limits<std::uint32_t>::max();

// Those of the nodes that stay, then drawn ones.
std::vector<std::uint8_t> levels_of_kept(const GraphLayout& graph,
                                         std::span<const std::uint64_t> row_of, std::size_t nodes) {
  std::vector<std::uint8_t> levels = drawn_levels(nodes);
  std::size_t next = 0;
  for (std::size_t node = 0; node < row_of.size(); ++node) {
    if (row_of[node] == GraphBuilder::kGone) continue;
    levels[next++] = static_cast<std::uint8_t>(graph.level(node));
  }
  return levels;
}

std::vector<std::uint64_t> labels_in_order(std::size_t rows) {
  std::vector<std::uint64_t> labels(rows);
  std::iota(labels.begin(), labels.end(), std::uint64_t{0});
  return labels;
}

std::vector<bool> dead_of(std::span<const std::uint64_t> labels, std::size_t rows) {
  std::vector<bool> dead;
  if (labels.size() == rows) return dead;
  for (const std::uint64_t label : labels) dead.push_back(label >= rows);
  return dead;
}

}  // namespace

GraphBuilder::GraphBuilder(const Matrix& scan, std::span<const std::uint64_t> labels,
                           std::vector<std::uint8_t> levels)
    : levels_(std::move(levels)),
      bytes_(graph_bytes(scan.columns, levels_)),
      graph_(bytes_, scan.columns, levels_, dead_of(labels, scan.rows)),
      searches_(levels_.size()) {
  const GraphHeader header = GraphHeader::of(levels_.size(), scan.columns);
  std::memcpy(bytes_.data(), &header, sizeof header);
}

GraphBuilder::GraphBuilder(const Matrix& scan)
    : GraphBuilder(scan, labels_in_order(scan.rows), drawn_levels(scan.rows)) {
  copy_rows(scan, labels_in_order(scan.rows));
}

GraphBuilder::GraphBuilder(const Matrix& scan, std::span<const std::byte> bytes,
                           const GraphLayout& graph, std::span<const std::uint64_t> labels)
    : GraphBuilder(scan, labels, levels_after(graph, labels.size())) {
  copy_nodes(bytes, graph);
  copy_rows(scan, labels);
}

GraphBuilder::GraphBuilder(const Matrix& scan, const GraphLayout& graph,
                           std::span<const std::uint64_t> row_of)
    : GraphBuilder(scan, labels_in_order(scan.rows), levels_of_kept(graph, row_of, scan.rows)) {
  std::vector<std::uint64_t> labels;
  std::vector<bool> has_node(scan.rows);
  std::vector<std::uint32_t> node_of(row_of.size(), kNoNode);
  for (std::size_t node = 0; node < row_of.size(); ++node) {
    if (row_of[node] == kGone) continue;
    node_of[node] = static_cast<std::uint32_t>(labels.size());
    labels.push_back(row_of[node]);
    has_node[row_of[node]] = true;
  }
  const std::size_t kept = labels.size();
  for (std::size_t row = 0; row < scan.rows; ++row) {
    if (!has_node[row]) labels.push_back(row);
  }
  copy_rows(scan, labels);
  enter_at_highest(kept);
  linked_ = kept;
  take_links(graph, node_of);
}

// `node_of`: by node of `graph`, the one that it is here.
void GraphBuilder::take_links(const GraphLayout& graph, std::span<const std::uint32_t> node_of) {
  parallel_blocks(node_of.size(), [&](std::size_t begin, std::size_t end) {
    std::vector<std::uint32_t> to;
    std::vector<Near> nearest;
    for (std::size_t old = begin; old < end; ++old) {
      const std::uint32_t node = node_of[old];
      if (node == kNoNode) continue;
      for (int level = 0; level <= levels_[node]; ++level) {
        to.clear();
        const auto add = [&](std::uint32_t link) {
          if (node_of[link] == kNoNode || node_of[link] == node) return;
          if (std::ranges::count(to, node_of[link]) == 0) to.push_back(node_of[link]);
        };
        for (const std::uint32_t link : graph.links(old, level)) {
          add(link);
          if (node_of[link] == kNoNode) std::ranges::for_each(graph.links(link, level), add);
        }
        nearest.clear();
        graph_.measure(graph_.point(node), to, nearest);
        if (nearest.size() > most_links(level)) {
          std::ranges::sort(nearest);
          filter_diverse(nearest, most_links(level));
        }
        set_links(node, level, nearest);
      }
    }
  });
}

// Records lie one behind the other, and so do upper lists.
void GraphBuilder::copy_nodes(std::span<const std::byte> bytes, const GraphLayout& graph) {
  GraphHeader header{};
  std::memcpy(&header, bytes.data(), sizeof header);
  enter_at({header.entry, header.levels});
  linked_ = graph.nodes();
  const auto records = bytes.subspan(sizeof header, graph.upper_place(0) - sizeof header);
  std::ranges::copy(records, bytes_.begin() + sizeof header);
  const auto lists = bytes.subspan(graph.upper_place(0));
  std::ranges::copy(lists, bytes_.begin() + static_cast<std::ptrdiff_t>(graph_.upper_place(0)));
}

// Into the nodes that are not linked yet; all get their labels.
void GraphBuilder::copy_rows(const Matrix& scan, std::span<const std::uint64_t> labels) {
  for (std::size_t node = 0; node < nodes(); ++node) {
    const std::uint64_t row = labels[node];
    std::memcpy(bytes_.data() + graph_.label_place(node), &row, sizeof row);
    if (node < linked_) continue;
    std::byte* const place = bytes_.data() + graph_.numbers_place(node);
    std::memcpy(place, scan.data + row * scan.columns, scan.columns);
    std::memcpy(place + scan.columns, &scan.scales[row], sizeof(float));
    const auto upper = static_cast<std::uint32_t>(levels_[node] * kListBytes);
    std::memcpy(bytes_.data() + graph_.upper_place(node), &upper, sizeof upper);
  }
}

void GraphBuilder::write(const std::filesystem::path& path, GraphNumbers numbers) {
  const std::size_t before = linked_;
  Progress progress("linking images", nodes() - before);
  while (linked_ < nodes()) {
    stop_if_interrupted();
    link_more();
    progress.update(linked_ - before);
  }
  AtomicFile file(path);
  numbers == GraphNumbers::kept ? file.write(bytes_) : write_links(file);
  file.commit();
}

// Nodes without their numbers. Nothing of the links changes.
void GraphBuilder::write_links(AtomicFile& file) const {
  GraphHeader header = GraphHeader::of(nodes(), 0);
  header.levels = entry_.level;
  header.entry = entry_.node;
  const std::span<const std::byte> all(bytes_);
  file.write(std::as_bytes(std::span(&header, 1)));
  for (std::size_t node = 0; node < nodes(); ++node) {
    const std::size_t links = graph_.links_place(node, 0);
    file.write(all.subspan(links, graph_.numbers_place(node) - links));
    file.write(all.subspan(graph_.label_place(node), sizeof(std::uint64_t)));
  }
  file.write(all.subspan(graph_.upper_place(0)));
}

// The next kTogether nodes, or the rest.
void GraphBuilder::link_more() {
  const std::size_t first = linked_;
  const std::size_t end = std::min(first + kTogether, levels_.size());
  parallel_blocks(end - first, [&](std::size_t begin, std::size_t stop) {
    auto search = searches_.take();
    for (std::size_t i = begin; i < stop; ++i) find_neighbours(first + i, *search);
    searches_.give_back(std::move(search));
  });
  const std::vector<Back> links = backward_links(end);
  std::vector<std::size_t> lists;  // where each list's links begin
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (i == 0 || !links[i].same_list(links[i - 1])) lists.push_back(i);
  }
  parallel_blocks(lists.size(), [&](std::size_t begin, std::size_t stop) {
    for (std::size_t i = begin; i < stop; ++i) {
      const std::size_t next = i + 1 < lists.size() ? lists[i + 1] : links.size();
      link_back(std::span(links).subspan(lists[i], next - lists[i]));
    }
  });
  enter_at_highest(end);
  linked_ = end;
}

void GraphBuilder::find_neighbours(std::size_t node, GraphSearch& search) {
  const GraphPoint point = graph_.point(node);
  std::vector<std::uint32_t> before(node - linked_);
  std::iota(before.begin(), before.end(), static_cast<std::uint32_t>(linked_));
  std::vector<Near> together;
  graph_.measure(point, before, together);
  Near from{};
  if (linked_ > 0) from = search.descend(graph_, PointAim(graph_, point), entry_, levels_[node]);
  for (int level = levels_[node]; level >= 0; --level) {
    std::vector<Near> nearest = nearest_on(point, level, from, search, together);
    filter_diverse(nearest, kLinks);
    set_links(node, level, nearest);
  }
}

// The nearest of a level, nearest first; `from`, where to begin there, becomes where to begin
// below. All that is found there may be dead.
std::vector<Near> GraphBuilder::nearest_on(const GraphPoint& point, int level, Near& from,
                                           GraphSearch& search,
                                           std::span<const Near> together) const {
  std::vector<Near> nearest;
  if (level <= entry_.level) {
    nearest = search.nearest(graph_, PointAim(graph_, point), from, level, kBuildWidth);
    if (!nearest.empty()) from = nearest.front();
  }
  const bool full = nearest.size() == kBuildWidth;
  const Near farthest = full ? nearest.back() : Near{};
  for (const Near& other : together) {
    if (levels_[other.node] < level || (full && farthest < other)) continue;
    nearest.push_back(other);
  }
  std::ranges::sort(nearest);
  if (nearest.size() > kBuildWidth) nearest.resize(kBuildWidth);
  return nearest;
}

// Algorithm 4: of the nearest, nearest first, those that lie nearer to their base than to any that
// is kept already; then others, while there is room, without which near copies are hard to find.
void GraphBuilder::filter_diverse(std::vector<Near>& nearest, std::size_t most) const {
  if (nearest.size() < most) return;
  std::vector<Near> kept, others, dropped;
  std::vector<std::uint32_t> nodes;  // that are kept
  for (const Near& near : nearest) {
    others.clear();
    graph_.measure(graph_.point(near.node), nodes, others);
    if (std::ranges::any_of(others, [&](const Near& o) { return o.distance < near.distance; })) {
      dropped.push_back(near);
      continue;
    }
    kept.push_back(near);
    nodes.push_back(near.node);
    if (kept.size() == most) break;
  }
  for (const Near& near : dropped) {
    if (kept.size() == most) break;
    kept.push_back(near);
  }
  nearest = std::move(kept);
}

void GraphBuilder::set_links(std::size_t node, int level, std::span<const Near> links) {
  auto* const list =
      reinterpret_cast<std::uint32_t*>(bytes_.data() + graph_.links_place(node, level));
  list[0] = static_cast<std::uint32_t>(links.size());
  std::ranges::transform(links, list + 1, &Near::node);
}

// By list, then by node.
std::vector<GraphBuilder::Back> GraphBuilder::backward_links(std::size_t end) const {
  std::vector<Back> links;
  for (std::size_t node = linked_; node < end; ++node) {
    for (int level = 0; level <= levels_[node]; ++level) {
      for (const std::uint32_t to : graph_.links(node, level)) {
        links.push_back({level, to, static_cast<std::uint32_t>(node)});
      }
    }
  }
  std::ranges::sort(links, {},
                    [](const Back& link) { return std::tie(link.level, link.to, link.from); });
  return links;
}

void GraphBuilder::link_back(std::span<const Back> links) {
  const auto [level, node, ignored] = links.front();
  const GraphPoint point = graph_.point(node);
  const auto now = graph_.links(node, level);
  std::vector<std::uint32_t> all(now.begin(), now.end());
  std::ranges::transform(links, std::back_inserter(all), &Back::from);
  std::vector<Near> neighbours;
  graph_.measure(point, all, neighbours);
  if (neighbours.size() > most_links(level)) {
    std::ranges::sort(neighbours);
    filter_diverse(neighbours, most_links(level));
  }
  set_links(node, level, neighbours);
}

void GraphBuilder::enter_at_highest(std::size_t end) {
  for (std::size_t node = linked_; node < end; ++node) {
    if (levels_[node] > entry_.level) enter_at({static_cast<std::uint32_t>(node), levels_[node]});
  }
}

void GraphBuilder::enter_at(GraphEntry entry) {
  entry_ = entry;
  GraphHeader header{};
  std::memcpy(&header, bytes_.data(), sizeof header);
  header.levels = entry_.level;
  header.entry = entry_.node;
  std::memcpy(bytes_.data(), &header, sizeof header);
}

}  // namespace hinny
