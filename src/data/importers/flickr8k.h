// Flickr8k.token.txt and files of its form (Flickr30K's results_20130124.token):
// docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <string_view>

#include "data/importers/caption_rows.h"

namespace hinny {

// `source` is the file, or the folder that holds Flickr8k.token.txt. The lists
// Flickr_8k.trainImages.txt, devImages and testImages beside it give the splits; what none of them
// has is left out, unless `options` has shares.
void import_flickr8k(const std::filesystem::path& source, const RowOptions& options,
                     ImportWriter& writer);

// "1000268201_693b08cb0e.jpg#0<TAB>A child": whether a line is of this form.
bool is_token_line(std::string_view line);

}  // namespace hinny
