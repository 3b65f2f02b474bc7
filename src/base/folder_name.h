// A folder's name, however people write its path.
#pragma once

#include <filesystem>

namespace hinny {

// "index/" -> "index": a path that ends in a slash has no file name.
inline std::filesystem::path without_slash(const std::filesystem::path& folder) {
  return folder.filename().empty() ? folder.parent_path() : folder;
}

// In which `path` lies: "." for a bare name.
inline std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

}  // namespace hinny
