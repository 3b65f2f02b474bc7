// Approximate search in large collections: a graph of neighbours over the int8 rows (HNSW: Malkov
// and Yashunin 2018).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tensors/matrix.h"

namespace hinny {

// How many rows a search for a few hits asks for (docs/performance.md).
constexpr std::size_t kGraphWidth = 1024;

class Graph {
 public:
  // Links the rows on all threads and writes the graph, which holds a copy of them. The same rows
  // give the same file on any number of threads. Shows progress. Throws Failure when the disk does
  // not take it.
  static void build(const Matrix& scan, const std::filesystem::path& path);

  // Maps the file, having read it once to check it. `hash` is its content_hash when it was written.
  // Throws InputError when it has another hash or is no graph of these rows.
  static Graph open(const std::filesystem::path& path, const std::string& hash, const Matrix& scan);

  Graph(Graph&&) noexcept;
  ~Graph();

  // Rows that are probably among the nearest to the query, at most `count` of them, in no order.
  // The more are asked for, the surer are the first of them: the search keeps that many in view.
  // Safe to call from several threads.
  std::vector<std::size_t> nearest(std::span<const float> query, std::size_t count) const;

 private:
  struct State;
  explicit Graph(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace hinny
