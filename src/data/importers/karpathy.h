// Karpathy's split files, dataset_flickr8k.json, dataset_flickr30k.json, dataset_coco.json:
// docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <string>

#include "data/importers/import_writer.h"

namespace hinny {

struct KarpathyOptions {
  std::string language = "en";
  bool tokenised = false;         // the tokens joined by spaces, not the raw sentences
  bool restval_as_train = false;  // COCO's 30,504 "restval" images train too
};

void import_karpathy(const std::filesystem::path& file, const KarpathyOptions& options,
                     ImportWriter& writer);

}  // namespace hinny
