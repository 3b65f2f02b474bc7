// COCO's captions JSON and files of that shape in other languages (STAIR, YJ):
// docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/importers/image_splits.h"
#include "data/importers/import_writer.h"

namespace hinny {

struct CocoFile {
  std::filesystem::path path;
  std::string split;  // empty: train, val or test, whichever the file's name has
  std::string language = "en";
};

struct CocoOptions {
  bool tokenised = false;  // "tokenized_caption" (STAIR has it), not "caption"
  // Where an image is in it, its split is this one. Others have CocoFile::split, which must not be
  // empty for them.
  std::optional<ImageSplits> splits{};
};

// Reads all files' images, then all files' annotations: several languages of the same images
// come together. An image listed in two splits is an InputError, and so is a caption of an image
// that no file lists.
void import_coco(const std::vector<CocoFile>& files, const CocoOptions& options,
                 ImportWriter& writer);

}  // namespace hinny
