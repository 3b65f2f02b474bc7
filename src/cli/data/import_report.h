// What `hinny import` says of what it read.
#pragma once

#include <filesystem>

#include "data/importers/import_writer.h"

namespace hinny {

// On stdout.
void print_import(const std::filesystem::path& out, const ImportSummary& summary);
void print_import_json(const std::filesystem::path& out, const ImportSummary& summary);

}  // namespace hinny
