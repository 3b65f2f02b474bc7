// Which images have a row in features/, and in which order: features/ids.txt.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/dataset.h"

namespace hinny {

constexpr const char* kIdsFile = "ids.txt";

struct FeatureRows {
  bool fixed = false;       // ids.txt is there, and every one of its images must get a row
  std::vector<int> images;  // positions in Dataset::images(), in row order
};

// `keep`: ids.txt binds when it exists. Otherwise every image of the dataset is a candidate.
// InputError when ids.txt names an image twice or one that the dataset lacks, or when pictures
// that must have a row are not there.
FeatureRows feature_rows(const Dataset& dataset, bool keep);

// Whether an image's picture is there.
bool has_picture(const Dataset& dataset, int image);

// Where an image's picture should be. InputError when images.jsonl names no file.
std::filesystem::path picture_file(const Dataset& dataset, int image);

// True when features/ holds a .npy file besides `file`.
bool other_features_exist(const std::filesystem::path& file);

void write_ids(const std::filesystem::path& file, const Dataset& dataset,
               const std::vector<int>& images);

}  // namespace hinny
