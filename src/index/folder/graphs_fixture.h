// For tests and benchmarks: graphs of indexes that are too small to get any.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/checksums.h"
#include "base/content_hash.h"
#include "base/npy.h"
#include "base/read_file.h"
#include "index/folder/index.h"
#include "index/folder/name_list.h"
#include "index/vectors/int8_rows.h"

namespace hinny {

// Gives an index a graph for each space, as `hinny index` does where a collection is large enough.
inline void add_graphs(const std::filesystem::path& index) {
  auto json = nlohmann::ordered_json::parse(read_file(index / kContentsFile));
  const NpyArray vectors = NpyArray::open(index / kVectorsFile);
  const std::size_t images = read_names(index, nullptr).images.size();
  const auto columns = static_cast<std::size_t>(vectors.row_size());
  json["graphs"].clear();
  for (std::size_t space = 0; space < json["spaces"].size(); ++space) {
    const std::filesystem::path file = index / graph_file(space);
    const Int8Rows rows(vectors.in_place().subspan(space * images * columns, images * columns),
                        columns);
    Graph::build(rows.matrix(), file,
                 json.contains("codes") ? GraphNumbers::left_out : GraphNumbers::kept);
    json["graphs"].push_back(content_hash(file));
  }
  write_file(index / kContentsFile, json.dump());
  write_checksums(index);
}

}  // namespace hinny
