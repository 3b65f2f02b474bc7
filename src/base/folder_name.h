// A folder as people name it.
#pragma once

#include <filesystem>

namespace hinny {

// "index/" -> "index": a path that ends in a slash has no file name.
inline std::filesystem::path without_slash(const std::filesystem::path& folder) {
  return folder.filename().empty() ? folder.parent_path() : folder;
}

}  // namespace hinny
