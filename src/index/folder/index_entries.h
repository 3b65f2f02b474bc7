// The entries of an index that is to be written: for each image, where its vectors come from.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/features.h"
#include "index/folder/index.h"
#include "index/folder/write_index.h"

namespace hinny {

struct IndexEntry {
  // Where an index has the vectors already; it must be one by the same model.
  struct Kept {
    const Index* index;
    std::size_t image;
  };
  std::string id;
  std::filesystem::path file;  // absolute, or empty
  std::string digest;          // of its features
  std::optional<Kept> kept;
  int fresh = -1;  // else its place among FreshFeatures: to be encoded
};

// The images of a dataset, all to be encoded. Reads their features for the digests. Throws
// InputError when the features are not of the sizes that the model was trained on.
std::vector<IndexEntry> fresh_entries(const Model& model, const Dataset& dataset,
                                      const Features& features, const std::vector<int>& images);

// The images of an index, which must outlive them.
std::vector<IndexEntry> stored_entries(const Index& index);

// The features of images that are to be encoded, by IndexEntry::fresh.
struct FreshFeatures {
  std::size_t dim = 0;
  std::function<void(std::span<const int> images, std::span<float> rows)> gather;  // [images, dim]
};
// `features` must outlive it.
FreshFeatures fresh_from(const Features& features);

// What a new index says of itself, all but its images and what makes their features. `copy` is its
// own copy of the model.
IndexContents contents_by(const Model& copy, std::string split, std::string features);

// Writes the files of write_index for these entries; `contents` says all but the images. `model` is
// the new index's own copy, `features` are those of the entries that are not kept. `before`: whose
// graphs grow, or nullptr. What is written of an image does not depend on the others, but for
// graphs.
void write_entries(const Model& model, const FreshFeatures& features,
                   const std::vector<IndexEntry>& entries, IndexContents contents, Graphs graphs,
                   const std::filesystem::path& folder, const Index* before = nullptr);

}  // namespace hinny
