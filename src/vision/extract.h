// The features of a dataset folder's pictures, written into it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "vision/picture_encoder.h"

namespace hinny {

struct ExtractOptions {
  std::string name;    // of the feature file; empty: the encoder's
  int batch = 32;      // pictures that go through the encoder together
  bool force = false;  // replace features that exist
};

struct SkippedPicture {
  std::string image;
  std::string why;
};

struct ExtractReport {
  std::filesystem::path file;
  bool already_there = false;
  std::int64_t rows = 0;
  std::vector<std::int64_t> shape;      // of one row
  std::vector<SkippedPicture> skipped;  // pictures that could not be read
  std::int64_t without_row = 0;         // images of the dataset that features/ids.txt leaves out
};

// Writes features/<name>.npy, float16, with a row for each line of features/ids.txt.
//
// All feature files of a folder share ids.txt. The first extraction writes it, with the images
// whose pictures it could read. A later one keeps to it: a picture that has a row there and cannot
// be read is an InputError, because its row would be missing. `force` replaces the feature file,
// and ids.txt too when no other feature file depends on it.
//
// Features that are there already, with a row of the right size per id, are left as they are.
// Ctrl-C throws Interrupted; files appear whole or not at all.
ExtractReport extract_features(const Dataset& dataset, PictureEncoder& encoder,
                               const ExtractOptions& options);

}  // namespace hinny
