// index.json, read strictly.
#pragma once

#include <filesystem>

#include "index/folder/index.h"

namespace hinny {

// Throws InputError for anything that does not fit. Networks come with their folder.
IndexContents read_index_contents(const std::filesystem::path& folder);

}  // namespace hinny
