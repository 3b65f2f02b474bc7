// Dataset folders joined into one, and their splits drawn anew: docs/formats/imports.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/importers/image_splits.h"
#include "data/importers/import_writer.h"

namespace hinny {

// So many images for val and for test, from those that have captions in all of these languages;
// every other image is in train. The same seed, ids and languages draw the same images, in
// whatever order the datasets have them.
struct DrawnSplits {
  std::int64_t val = 0, test = 0;
  std::vector<std::string> languages{};
  std::uint64_t seed = 1;
};

struct JoinOptions {
  std::optional<DrawnSplits> drawn{};
  std::optional<ImageSplits> splits{};
  std::string split{};        // of images that `splits` lacks; empty: they are an InputError
  bool first_images = false;  // only images that the first dataset has
};

// All captions of each image, whichever dataset has them; one that an earlier dataset has too,
// marks and case aside, is left out and counted. What a dataset itself has twice stays: `writer`
// keeps repeats. Without `drawn` and `splits` an image's split is that of the first dataset that
// has it, and other splits are noted. Features come from the first dataset that has any: the same
// files (hard links) where one file system holds both. InputError when too few images have captions
// in all of the drawn splits' languages.
void import_datasets(const std::vector<std::filesystem::path>& folders, const JoinOptions& options,
                     ImportWriter& writer);

}  // namespace hinny
