// Parallel text as a dataset without pictures, for translators and for parallel sentences:
// docs/formats/imports.md.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/importers/import_writer.h"

namespace hinny {

struct ParallelSource {
  std::filesystem::path path;  // TMX, a table of tabs, or the PREFIX of files PREFIX.LANGUAGE
  std::string split;           // empty: by ParallelOptions::shares, else as the name tells
};

struct ParallelOptions {
  // Those of the aligned files, of the table's columns in their order ("_" passes one over), or
  // which of a TMX are taken; empty: all that a TMX has.
  std::vector<std::string> languages{};
  // Shares of train, val and test, by the sentence in the first language: the same sentence is
  // never in two splits of one source.
  std::optional<std::array<int, 3>> shares{};
};

// Each source's line or <tu> becomes an "image" SOURCE-NUMBER with one caption in each language;
// those with text in fewer than two languages are skipped. Memory does not grow with the files.
// InputError: files of unlike length, a line with too few columns, and what for_each_unit throws.
void import_parallel(const std::vector<ParallelSource>& sources, const ParallelOptions& options,
                     ImportWriter& writer);

}  // namespace hinny
