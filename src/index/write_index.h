// The files of an index folder that depend on its images.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "index/index.h"

namespace hinny {

// Fills in the vectors of the images first, first + 1, ... of the new index in a space, [n, dim].
using VectorsOf =
    std::function<void(const std::string& space, std::size_t first, std::span<float> out)>;

// Writes index.json, vectors.npy and scan.safetensors into `folder`. Throws InputError when a
// vector is not finite. Shows progress. Memory stays at a block of vectors and a few bytes per
// image.
void write_index(const IndexContents& contents, const VectorsOf& vectors,
                 const std::filesystem::path& folder);

}  // namespace hinny
