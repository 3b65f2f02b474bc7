#include "index/vectors/graph.h"

#include <cstring>

#include "base/atomic_file.h"
#include "base/content_hash.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/mapped_file.h"
#include "base/progress.h"
#include "index/vectors/graph_builder.h"
#include "index/vectors/graph_search.h"

namespace hinny {
namespace fs = std::filesystem;

struct Graph::State {
  MappedFile file;
  GraphLayout layout;
  GraphEntry entry{};
  GraphSearches searches;

  State(const fs::path& path, const Matrix& scan)
      : file(path), layout(file.bytes(), scan, path), searches(scan.rows) {
    GraphHeader header{};
    std::memcpy(&header, file.bytes().data(), sizeof header);
    entry = {header.entry, header.levels};
  }
};

Graph::Graph(std::unique_ptr<State> state) : state_(std::move(state)) {}
Graph::Graph(Graph&&) noexcept = default;
Graph::~Graph() = default;

void Graph::build(const Matrix& scan, const fs::path& path) {
  GraphBuilder builder(scan);
  Progress progress("linking images", scan.rows);
  while (builder.linked() < scan.rows) {
    stop_if_interrupted();
    builder.link_more();
    progress.update(builder.linked());
  }
  AtomicFile file(path);
  file.write(builder.bytes());
  file.commit();
}

Graph Graph::open(const fs::path& path, const std::string& hash, const Matrix& scan) {
  if (!fs::is_regular_file(path) || content_hash(path) != hash) {
    throw InputError(path, "is not the graph that belongs to this index", "an unaltered file");
  }
  return Graph(std::make_unique<State>(path, scan));
}

std::vector<std::size_t> Graph::nearest(std::span<const float> query, std::size_t count) const {
  std::vector<std::int8_t> numbers(query.size());
  const float scale = to_int8(query, numbers);
  const GraphPoint to{numbers.data(), scale};
  auto search = state_->searches.take();
  const Near from = search->descend(state_->layout, to, state_->entry, 0);
  std::vector<std::size_t> rows;
  for (const Near& near : search->nearest(state_->layout, to, from, 0, count)) {
    rows.push_back(near.row);
  }
  state_->searches.give_back(std::move(search));
  return rows;
}

}  // namespace hinny
