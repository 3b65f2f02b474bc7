#include "index/vectors/graph.h"

#include <cstring>

#include "index/vectors/graph_builder.h"
#include "index/vectors/graph_search.h"

namespace hinny {
namespace fs = std::filesystem;

struct Graph::State {
  MappedFile file;
  GraphLayout layout;
  GraphEntry entry{};
  GraphSearches searches;

  State(const fs::path& path, const std::string& hash, const Matrix& scan)
      : file(map_graph(path, hash)), layout(file.bytes(), scan, path), searches(layout.nodes()) {
    GraphHeader header{};
    std::memcpy(&header, file.bytes().data(), sizeof header);
    entry = {header.entry, header.levels};
  }
};

Graph::Graph(std::unique_ptr<State> state) : state_(std::move(state)) {}
Graph::Graph(Graph&&) noexcept = default;
Graph::~Graph() = default;

void Graph::build(const Matrix& scan, const fs::path& path) { GraphBuilder(scan).write(path); }

Graph Graph::open(const fs::path& path, const std::string& hash, const Matrix& scan) {
  return Graph(std::make_unique<State>(path, hash, scan));
}

std::vector<std::size_t> Graph::nearest(std::span<const float> query, std::size_t count) const {
  std::vector<std::int8_t> numbers(query.size());
  const float scale = to_int8(query, numbers);
  const GraphPoint to{numbers.data(), scale};
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
