#include "data/importers/picture_folder.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"

namespace hinny {
namespace fs = std::filesystem;

PictureFolder::PictureFolder(fs::path folder, std::vector<std::string> parts)
    : folder_(std::move(folder)), parts_(std::move(parts)) {
  if (!fs::is_directory(folder_)) {
    throw InputError(folder_, fs::exists(folder_) ? "not a folder" : "no such folder",
                     "the folder of the pictures");
  }
}

std::string PictureFolder::find(const std::string& name, const Place& place) const {
  if (folder_.empty() || fs::is_regular_file(folder_ / name)) return name;
  for (const std::string& part : parts_) {
    if (fs::is_regular_file(folder_ / part / name)) return part + "/" + name;
  }
  throw InputError(fmt::format("{}: no picture '{}' in {}", place.text(), name, folder_.string()),
                   "the picture of every image");
}

void PictureFolder::link(const fs::path& dataset) const {
  if (folder_.empty()) return;
  std::error_code problem;
  fs::create_directory_symlink(fs::canonical(folder_), dataset / "images", problem);
  if (problem) {
    throw Failure(
        fmt::format("cannot link {}: {}", (dataset / "images").string(), problem.message()));
  }
}

}  // namespace hinny
