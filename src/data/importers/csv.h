// Tables of captions with a header: CSV, TSV, or parted by ';' or '|' (Flickr30K's results.csv):
// docs/formats/imports.md.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

#include "data/importers/caption_rows.h"

namespace hinny {

// Reads the file twice.
void import_csv(const std::filesystem::path& file, const RowOptions& options, ImportWriter& writer);

// Whether a file's first line is a header that import_csv knows.
bool is_caption_header(std::string_view line);

// The rows of one such file, in order. What is not known, or mended, is told to `writer` unless it
// is null.
void for_each_csv_row(const std::filesystem::path& file, ImportWriter* writer,
                      const std::function<void(CaptionRow& row, const Place& place)>& use);

}  // namespace hinny
