// The `*_precomp` layout of VSE++ and SCAN: docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "data/importers/feature_import.h"
#include "data/importers/image_names.h"
#include "data/importers/import_writer.h"

namespace hinny {

struct PrecompOptions {
  std::string language = "en";
  int captions_per_image = 5;
  bool use_ids = true;  // false: images are called <split>-<number>, whatever *_ids.txt says
  // Of the pictures, by the numbers in *_ids.txt: images then have the ids of other importers, and
  // their captions from elsewhere join. A number that is not in it is an InputError.
  std::optional<ImageNames> names{};
  FeatureOptions features{.name = "precomp"};
};

// `folder` holds {train,dev,test,testall}_caps.txt with *_ims.npy and, where there are,
// *_ids.txt. "dev" becomes "val"; "testall", which contains "test", is read in its place.
void import_precomp(const std::filesystem::path& folder, const PrecompOptions& options,
                    ImportWriter& writer);

}  // namespace hinny
