#include "index/vectors/graph_growth.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "index/vectors/graph_builder.h"

namespace hinny {
namespace {

// What makes nodes interchangeable: their numbers.
struct Numbers {
  std::string_view bytes;
  float scale;
  bool operator==(const Numbers&) const = default;
};
struct NumbersHash {
  std::size_t operator()(const Numbers& numbers) const {
    return std::hash<std::string_view>()(numbers.bytes);
  }
};

// Nodes to be taken by their numbers: those that are not dead first, of several the first.
class NodesByNumbers {
 public:
  explicit NodesByNumbers(const GraphLayout& graph) : graph_(graph), next_(graph.nodes()) {
    first_.reserve(graph.nodes());
    for (const bool dead : {true, false}) {
      for (std::size_t node = graph.nodes(); node-- > 0;) {
        if (graph.dead(node) == dead) put_first(node);
      }
    }
  }
  std::optional<std::size_t> take(const std::int8_t* numbers, float scale) {
    const auto found = first_.find(key(numbers, scale));
    if (found == first_.end() || found->second == kNone) return std::nullopt;
    return std::exchange(found->second, next_[found->second]);
  }

 private:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  Numbers key(const std::int8_t* numbers, float scale) const {
    return {{reinterpret_cast<const char*>(numbers), graph_.columns()}, scale};
  }
  void put_first(std::size_t node) {
    const GraphPoint point = graph_.point(node);
    const auto at = first_.emplace(key(point.numbers, point.scale), kNone).first;
    next_[node] = std::exchange(at->second, node);
  }

  const GraphLayout& graph_;
  std::unordered_map<Numbers, std::size_t, NumbersHash> first_;
  std::vector<std::size_t> next_;
};

// Of the nodes of `graph`, then of more for the rows that it has none for: the row of `scan` with a
// node's numbers. Each row has one node; what is left are the dead, with numbers behind the rows.
std::vector<std::uint64_t> labels_after(const GraphLayout& graph, const Matrix& scan) {
  constexpr std::uint64_t kDead = std::numeric_limits<std::uint64_t>::max();
  NodesByNumbers nodes(graph);
  std::vector<std::uint64_t> labels(graph.nodes(), kDead);
  const auto* numbers = reinterpret_cast<const std::int8_t*>(scan.data);
  for (std::size_t row = 0; row < scan.rows; ++row) {
    if (const auto node = nodes.take(numbers + row * scan.columns, scan.scales[row])) {
      labels[*node] = row;
    } else {
      labels.push_back(row);
    }
  }
  std::uint64_t behind = scan.rows;
  for (std::uint64_t& label : labels) {
    if (label == kDead) label = behind++;
  }
  return labels;
}

// Of vectors one behind the other.
std::string_view bytes_of(std::span<const float> vectors, std::size_t row, std::size_t columns) {
  const auto numbers = vectors.subspan(row * columns, columns);
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

// By node of `graph`: the row of `after` with the numbers of its row of `before`, GraphBuilder::
// kGone where there is none. Of several alike the first go together.
std::vector<std::uint64_t> rows_after(const GraphLayout& graph, std::span<const float> before,
                                      std::span<const float> after, std::size_t columns) {
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  std::unordered_map<std::string_view, std::size_t> first;  // node
  std::vector<std::size_t> next(graph.nodes());             // by node, another one alike
  first.reserve(graph.nodes());
  for (std::size_t node = graph.nodes(); node-- > 0;) {
    const auto at = first.emplace(bytes_of(before, graph.row(node), columns), kNone).first;
    next[node] = std::exchange(at->second, node);
  }
  std::vector<std::uint64_t> rows(graph.nodes(), GraphBuilder::kGone);
  for (std::size_t row = 0; row < after.size() / columns; ++row) {
    const auto found = first.find(bytes_of(after, row, columns));
    if (found == first.end() || found->second == kNone) continue;
    rows[std::exchange(found->second, next[found->second])] = row;
  }
  return rows;
}

}  // namespace

bool grow_links(const std::filesystem::path& from, const std::string& hash,
                std::span<const float> before, std::span<const float> after, const Matrix& rows,
                const std::filesystem::path& to) {
  const MappedFile file = map_graph(from, hash);
  const GraphLayout graph(file.bytes(), before.size() / rows.columns, 0, from);
  const std::vector<std::uint64_t> row_of = rows_after(graph, before, after, rows.columns);
  const auto gone = static_cast<std::size_t>(std::ranges::count(row_of, GraphBuilder::kGone));
  if (gone > row_of.size() / kMostDeadNodes) return false;
  GraphBuilder(rows, graph, row_of).write(to, GraphNumbers::left_out);
  return true;
}

bool grow_graph(const std::filesystem::path& from, const std::string& hash, const Matrix& before,
                const Matrix& rows, const std::filesystem::path& to) {
  const MappedFile file = map_graph(from, hash);
  if (rows.columns != before.columns) return false;
  const GraphLayout graph(file.bytes(), before.rows, before.columns, from);
  const std::vector<std::uint64_t> labels = labels_after(graph, rows);
  if (labels.size() - rows.rows > labels.size() / kMostDeadNodes) return false;
  GraphBuilder(rows, file.bytes(), graph, labels).write(to);
  return true;
}

}  // namespace hinny
