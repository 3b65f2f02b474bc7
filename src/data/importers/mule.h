// A layout after MULE's: features, ids and one file of tokenised text per language.
// The exact layout of MULE's files was not available; ours is defined in docs/formats/imports.md.
#pragma once

#include <filesystem>

#include "data/importers/feature_import.h"
#include "data/importers/import_writer.h"

namespace hinny {

struct MuleOptions {
  FeatureOptions features{.name = "mule"};
};

// `folder` holds {split}.ids, {split}.{lang}.tok and, for all splits or for none, {split}.npy.
// "dev" becomes "val".
void import_mule(const std::filesystem::path& folder, const MuleOptions& options,
                 ImportWriter& writer);

}  // namespace hinny
