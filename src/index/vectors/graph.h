// Approximate search in large collections: a graph of neighbours over the int8 rows, or over their
// codes (HNSW: Malkov and Yashunin 2018).
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "index/vectors/scan.h"
#include "tensors/matrix.h"

namespace hinny {

// How many rows a search for a few hits asks for (docs/performance.md).
constexpr std::size_t kGraphWidth = 1024;

// Whether a graph's file holds a copy of the rows: a walk then finds each where its links lie. An
// index of codes has no room for it; there a walk reads the codes.
enum class GraphNumbers { kept, left_out };

class GraphAim;

class Graph {
 public:
  // Links int8 rows on all threads and writes the graph. The same rows give the same file on any
  // number of threads. Shows progress. Throws Failure when the disk does not take it.
  static void build(const Matrix& rows, const std::filesystem::path& path,
                    GraphNumbers numbers = GraphNumbers::kept);

  // Maps the file, having read it once to check it. `hash` is its content_hash when it was written.
  // Of codes, what `scan` reads must outlive it. Throws InputError when it has another hash or is
  // no graph of these rows, with numbers or without as `scan` has int8 rows or codes.
  static Graph open(const std::filesystem::path& path, const std::string& hash, const Scan& scan);

  Graph(Graph&&) noexcept;
  ~Graph();

  // Rows that are probably among the nearest to the query, at most `count` of them, in no order.
  // The more are asked for, the surer are the first of them: the search keeps that many in view.
  // Safe to call from several threads.
  std::vector<std::size_t> nearest(std::span<const float> query, std::size_t count) const;

 private:
  struct State;
  std::vector<std::size_t> nearest(const GraphAim& to, std::size_t count) const;
  explicit Graph(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace hinny
