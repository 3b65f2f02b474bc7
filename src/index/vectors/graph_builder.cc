#include "index/vectors/graph_builder.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/error.h"
#include "base/random.h"
#include "base/threads.h"

namespace hinny {
namespace {

// Every level has a kLinks-th of the rows of the one below.
std::vector<std::uint8_t> drawn_levels(std::size_t rows) {
  if (rows > std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("a graph has at most 4,294,967,295 images");
  }
  Random random(1);
  std::vector<std::uint8_t> levels(rows);
  for (std::uint8_t& level : levels) {
    const double drawn = -std::log(1 - random.uniform()) / std::log(1.0 * kLinks);
    level = static_cast<std::uint8_t>(std::min(drawn, kMostLevels - 1.0));
  }
  return levels;
}

}  // namespace

GraphBuilder::GraphBuilder(const Matrix& scan)
    : levels_(drawn_levels(scan.rows)),
      bytes_(graph_bytes(scan.columns, levels_)),
      graph_(bytes_, scan.columns, levels_),
      searches_(scan.rows) {
  const GraphHeader header = GraphHeader::of(scan);
  std::memcpy(bytes_.data(), &header, sizeof header);
  copy_rows(scan);
}

void GraphBuilder::copy_rows(const Matrix& scan) {
  for (std::size_t row = 0; row < scan.rows; ++row) {
    std::byte* const place = bytes_.data() + graph_.row_place(row);
    std::memcpy(place, scan.data + row * scan.columns, scan.columns);
    std::memcpy(place + scan.columns, &scan.scales[row], sizeof(float));
    const std::uint64_t label = row;
    std::memcpy(bytes_.data() + graph_.label_place(row), &label, sizeof label);
    const auto upper = static_cast<std::uint32_t>(levels_[row] * kListBytes);
    std::memcpy(bytes_.data() + graph_.upper_place(row), &upper, sizeof upper);
  }
}

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

void GraphBuilder::find_neighbours(std::size_t row, GraphSearch& search) {
  const GraphPoint point = graph_.point(row);
  std::vector<std::uint32_t> before(row - linked_);
  std::iota(before.begin(), before.end(), static_cast<std::uint32_t>(linked_));
  std::vector<Near> together;
  graph_.measure(point, before, together);
  Near from{};
  if (linked_ > 0) from = search.descend(graph_, point, entry_, levels_[row]);
  for (int level = levels_[row]; level >= 0; --level) {
    std::vector<Near> nearest = nearest_on(point, level, from, search, together);
    keep_diverse(nearest, kLinks);
    set_links(row, level, nearest);
  }
}

// The nearest of a level, nearest first; `from`, where to begin there, becomes where to begin
// below.
std::vector<Near> GraphBuilder::nearest_on(const GraphPoint& point, int level, Near& from,
                                           GraphSearch& search,
                                           std::span<const Near> together) const {
  std::vector<Near> nearest;
  if (level <= entry_.level) {
    nearest = search.nearest(graph_, point, from, level, kBuildWidth);
    from = nearest.front();
  }
  const bool full = nearest.size() == kBuildWidth;
  const Near farthest = full ? nearest.back() : Near{};
  for (const Near& other : together) {
    if (levels_[other.row] < level || (full && farthest < other)) continue;
    nearest.push_back(other);
  }
  std::ranges::sort(nearest);
  if (nearest.size() > kBuildWidth) nearest.resize(kBuildWidth);
  return nearest;
}

// Algorithm 4: of the nearest, nearest first, those that lie nearer to their base than to any that
// is kept already; then others, while there is room, without which near copies are hard to find.
void GraphBuilder::keep_diverse(std::vector<Near>& nearest, std::size_t most) const {
  if (nearest.size() < most) return;
  std::vector<Near> kept, others, dropped;
  std::vector<std::uint32_t> rows;  // that are kept
  for (const Near& near : nearest) {
    others.clear();
    graph_.measure(graph_.point(near.row), rows, others);
    if (std::ranges::any_of(others, [&](const Near& o) { return o.distance < near.distance; })) {
      dropped.push_back(near);
      continue;
    }
    kept.push_back(near);
    rows.push_back(near.row);
    if (kept.size() == most) break;
  }
  for (const Near& near : dropped) {
    if (kept.size() == most) break;
    kept.push_back(near);
  }
  nearest = std::move(kept);
}

void GraphBuilder::set_links(std::size_t row, int level, std::span<const Near> links) {
  auto* const list =
      reinterpret_cast<std::uint32_t*>(bytes_.data() + graph_.links_place(row, level));
  list[0] = static_cast<std::uint32_t>(links.size());
  std::ranges::transform(links, list + 1, &Near::row);
}

// By list, then by row.
std::vector<GraphBuilder::Back> GraphBuilder::backward_links(std::size_t end) const {
  std::vector<Back> links;
  for (std::size_t row = linked_; row < end; ++row) {
    for (int level = 0; level <= levels_[row]; ++level) {
      for (const std::uint32_t to : graph_.links(row, level)) {
        links.push_back({level, to, static_cast<std::uint32_t>(row)});
      }
    }
  }
  std::ranges::sort(links, {},
                    [](const Back& link) { return std::tie(link.level, link.to, link.from); });
  return links;
}

void GraphBuilder::link_back(std::span<const Back> links) {
  const auto [level, row, ignored] = links.front();
  const GraphPoint point = graph_.point(row);
  const auto now = graph_.links(row, level);
  std::vector<std::uint32_t> rows(now.begin(), now.end());
  std::ranges::transform(links, std::back_inserter(rows), &Back::from);
  std::vector<Near> neighbours;
  graph_.measure(point, rows, neighbours);
  if (neighbours.size() > most_links(level)) {
    std::ranges::sort(neighbours);
    keep_diverse(neighbours, most_links(level));
  }
  set_links(row, level, neighbours);
}

void GraphBuilder::enter_at_highest(std::size_t end) {
  for (std::size_t row = linked_; row < end; ++row) {
    if (levels_[row] > entry_.level) entry_ = {static_cast<std::uint32_t>(row), levels_[row]};
  }
  GraphHeader header{};
  std::memcpy(&header, bytes_.data(), sizeof header);
  header.levels = entry_.level;
  header.entry = entry_.row;
  std::memcpy(bytes_.data(), &header, sizeof header);
}

}  // namespace hinny
