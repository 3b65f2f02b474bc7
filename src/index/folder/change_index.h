// A new version of an index, with other images. The folder is replaced as a whole: whoever reads
// the old version keeps it, and a process that is killed leaves it as it was.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/features.h"

namespace hinny {

struct IndexChange {
  std::size_t added = 0;    // images that were not there
  std::size_t changed = 0;  // whose features differ
  std::size_t removed = 0;
  std::size_t kept = 0;  // as they were, not encoded again
};

// Images of a dataset, each with features; they must be of the sizes that the index's model reads.
struct ImagesToIndex {
  const Dataset& dataset;
  const Features& features;
  std::vector<int> images;
  const Features* regions = nullptr;  // for the re-ranking model, where the index has one
};

// Adds the images behind those that are there; one whose id is there takes that place. Images of
// the index that `images` does not name stay.
IndexChange add_to_index(const std::filesystem::path& folder, const ImagesToIndex& images);

// Makes the index hold these images and no other, in their order.
IndexChange update_index(const std::filesystem::path& folder, const ImagesToIndex& images);

// Throws InputError, and changes nothing, when an id is not there or nothing would be left.
IndexChange remove_from_index(const std::filesystem::path& folder,
                              const std::vector<std::string>& ids);

}  // namespace hinny
