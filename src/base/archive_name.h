// Names of bundles in one file: NAME.tar.gz, NAME.tgz, NAME.tar.zst.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hinny {

// The length of its ending; 0: none of an archive.
inline std::size_t archive_ending(std::string_view name) {
  for (const std::string_view ending : {".tar.gz", ".tgz", ".tar.zst"}) {
    if (name.ends_with(ending)) return ending.size();
  }
  return 0;
}

inline bool is_archive_name(const std::filesystem::path& file) {
  return archive_ending(file.filename().string()) > 0;
}

// "photo-model" of models/photo-model.tar.gz and of models/photo-model.
inline std::string name_without_archive_ending(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  return name.substr(0, name.size() - archive_ending(name));
}

}  // namespace hinny
