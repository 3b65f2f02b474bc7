// A graph that goes on when the rows change.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "tensors/matrix.h"

namespace hinny {

// Of all nodes of a graph that grew, at most so great a part stands for no row.
constexpr std::size_t kMostDeadNodes = 4;  // a quarter

// Writes to `to` what the graph in the file `from`, of this content_hash and of the rows `before`,
// becomes as that of `rows`: the nodes of rows that are there again keep their links, whatever
// numbers the rows have now; those of others stay as places that a search passes through. Only rows
// without a node are linked. The same graph and rows give the same file. Shows progress.
//
// Says false, and writes nothing, where it is better to build one anew: the rows have other
// columns, or too many nodes would be dead. Throws InputError where `from` is not that graph, and
// Failure.
bool grow_graph(const std::filesystem::path& from, const std::string& hash, const Matrix& before,
                const Matrix& rows, const std::filesystem::path& to);

// The same of a graph without numbers, of rows that were `before` and are `after`, in full, [rows,
// columns]; `rows` are the latter in int8. No node stays for a row that is gone, so a graph that
// loses a quarter of its rows at once is to be built anew.
bool grow_links(const std::filesystem::path& from, const std::string& hash,
                std::span<const float> before, std::span<const float> after, const Matrix& rows,
                const std::filesystem::path& to);

}  // namespace hinny
