#include "index/vectors/graph.h"

#include <cstring>

#include "index/vectors/graph_builder.h"
#include "index/vectors/graph_search.h"

namespace hinny {
namespace fs = std::filesystem;

namespace {

// A query, by the codes of the rows that nodes stand for.
class CodeAim final : public GraphAim {
 public:
  // `numbers`: of CodeQueries.
  CodeAim(const GraphLayout& graph, const Scan& scan, const std::int8_t* numbers)
      : graph_(graph), scan_(scan), numbers_(numbers) {}

  void fetch(std::uint32_t node) const override {
    const std::size_t row = graph_.row(node);
    const std::int8_t* code = code_of(row);
    for (std::size_t i = 0; i < scan_.rows.columns; i += kCacheLine) __builtin_prefetch(code + i);
    __builtin_prefetch(&scan_.rows.scales[row]);
  }
  void measure(std::span<const std::uint32_t> nodes, std::vector<Near>& out) const override {
    for (const std::uint32_t node : nodes) {
      const std::size_t row = graph_.row(node);
      std::int32_t sum = 0;
      scan_.multiply(code_of(row), 1, numbers_, 1, &sum);
      out.push_back({-static_cast<float>(sum) * scan_.rows.scales[row], node});
    }
  }

 private:
  static constexpr std::size_t kCacheLine = 64;

  const std::int8_t* code_of(std::size_t row) const {
    return reinterpret_cast<const std::int8_t*>(scan_.rows.data) + row * scan_.rows.columns;
  }
  const GraphLayout& graph_;
  const Scan& scan_;
  const std::int8_t* numbers_;
};

}  // namespace

struct Graph::State {
  MappedFile file;
  GraphLayout layout;
  GraphEntry entry{};
  GraphSearches searches;

  Scan scan;

  State(const fs::path& path, const std::string& hash, const Scan& of)
      : file(map_graph(path, hash)),
        layout(file.bytes(), of.rows.rows, of.space ? 0 : of.rows.columns, path),
        searches(layout.nodes()),
        scan(of) {
    GraphHeader header{};
    std::memcpy(&header, file.bytes().data(), sizeof header);
    entry = {header.entry, header.levels};
  }
};

Graph::Graph(std::unique_ptr<State> state) : state_(std::move(state)) {}
Graph::Graph(Graph&&) noexcept = default;
Graph::~Graph() = default;

void Graph::build(const Matrix& rows, const fs::path& path, GraphNumbers numbers) {
  GraphBuilder(rows).write(path, numbers);
}

Graph Graph::open(const fs::path& path, const std::string& hash, const Scan& scan) {
  return Graph(std::make_unique<State>(path, hash, scan));
}

std::vector<std::size_t> Graph::nearest(std::span<const float> query, std::size_t count) const {
  if (state_->scan.space) {
    const CodeQueries queries(*state_->scan.space, query);
    return nearest(CodeAim(state_->layout, state_->scan, queries.numbers.data()), count);
  }
  std::vector<std::int8_t> numbers(query.size());
  const float scale = to_int8(query, numbers);
  return nearest(PointAim(state_->layout, {numbers.data(), scale}), count);
}

std::vector<std::size_t> Graph::nearest(const GraphAim& to, std::size_t count) const {
  auto search = state_->searches.take();
  const Near from = search->descend(state_->layout, to, state_->entry, 0);
  std::vector<std::size_t> rows;
  for (const Near& near : search->nearest(state_->layout, to, from, 0, count)) {
    rows.push_back(state_->layout.row(near.node));
  }
  state_->searches.give_back(std::move(search));
  return rows;
}

}  // namespace hinny
