// Indexes of parts of a collection, made on several machines, become the index of all of it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "index/folder/write_index.h"

namespace hinny {

struct MergeReport {
  std::size_t parts = 0;
  std::size_t images = 0;
};

// Writes `folder`, which appears whole or not at all: byte for byte what build_index or
// index_pictures would have written without a part. Throws InputError unless these are all parts
// (data/part.h) of one whole, made by the same model with the same settings, and when `folder` is
// one of them. Shows progress. Memory stays at the names of the images and the graphs while they
// are made.
MergeReport merge_index(const std::vector<std::filesystem::path>& parts, Graphs graphs,
                        const std::filesystem::path& folder);

}  // namespace hinny
