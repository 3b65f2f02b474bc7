// The features of a dataset folder's pictures, written into it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "data/part.h"
#include "vision/picture_encoder.h"

namespace hinny {

struct ExtractOptions {
  std::string name;    // of the feature file; empty: the encoder's
  int batch = 32;      // pictures that go through the encoder together
  bool force = false;  // replace features that exist
  // Only these of the images, into a folder of their own (data/row_parts.h) with ids.txt, which
  // merge_features then joins. A part is left as it is when it is there and was made so.
  std::optional<Part> part{};
};

struct SkippedPicture {
  std::string image;
  std::string why;  // or what is missing
};

struct ExtractReport {
  std::filesystem::path file;
  bool already_there = false;
  std::int64_t rows = 0;
  std::vector<std::int64_t> shape;         // of one row
  std::vector<SkippedPicture> skipped;     // pictures that could not be read
  std::vector<SkippedPicture> incomplete;  // those that were, though a part is missing
  std::int64_t without_row = 0;            // images that features/ids.txt leaves out: of the whole
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

// Joins the parts of features/<name>.npy into the file that extract_features without a part writes,
// byte for byte, and removes them. Throws InputError unless each is there once, made of this
// dataset by this encoder. Features that are there already stay, unless `force`.
ExtractReport merge_features(const Dataset& dataset, const PictureEncoder& encoder,
                             const ExtractOptions& options);

}  // namespace hinny
