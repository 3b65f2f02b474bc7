// Crossmodal-3600: docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <string_view>

#include "data/importers/import_writer.h"
#include "data/importers/picture_folder.h"

namespace hinny {

struct CrossmodalOptions {
  bool tokenised = false;  // read "caption/tokenized" and not "caption"
  PictureFolder pictures{};
};

// `source` is captions.jsonl, or the folder that holds it: one image a line, with its captions in
// all languages. Read once, a line at a time; all images are in the split test. InputErrors name
// the line: no JSON object, no key, an image that was there, captions that are no list of strings.
void import_crossmodal(const std::filesystem::path& source, const CrossmodalOptions& options,
                       ImportWriter& writer);

}  // namespace hinny
