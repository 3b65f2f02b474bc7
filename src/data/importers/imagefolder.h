// Hugging Face's image folders: metadata.jsonl or metadata.csv beside the pictures:
// docs/formats/imports.md.
#pragma once

#include <filesystem>

#include "data/importers/caption_rows.h"

namespace hinny {

// `source` is a metadata file, or a folder that holds one, or has one in each of its folders
// ("train", "validation", ...). Pictures are called by their path from `source`.
void import_imagefolder(const std::filesystem::path& source, const RowOptions& options,
                        ImportWriter& writer);

}  // namespace hinny
