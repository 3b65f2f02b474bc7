#include "pretrained/networks_of.h"

#include "base/archive_name.h"
#include "base/error.h"
#include "base/folder_name.h"
#include "base/folders.h"
#include "index/bundle/bundle.h"
#include "index/bundle/bundle_archive.h"
#include "pretrained/family.h"
#include "pretrained/pretrained_bundle.h"

namespace hinny {
namespace fs = std::filesystem;

NamedNetworks::NamedNetworks(const std::vector<fs::path>& named) {
  for (const fs::path& one : named) add(one);
}

fs::path NamedNetworks::folder_of_its_own() {
  if (!made_) made_.emplace();
  fs::path folder = made_->path() / std::to_string(folders_++);  // two may have one name
  create_folder(folder);
  return folder;
}

void NamedNetworks::add(const fs::path& named) {
  fs::path folder = named;
  if (fs::is_regular_file(named) && is_archive_name(named)) {
    folder = folder_of_its_own();
    unpack_bundle(named, folder);
  }
  if (!fs::is_directory(folder)) {
    files_.push_back(named);
    return;
  }
  if (fs::exists(folder / kBundleFile)) {
    const std::vector<fs::path> networks = PictureModel::open(folder, {}).networks();
    files_.insert(files_.end(), networks.begin(), networks.end());
    return;
  }
  if (!is_pretrained_folder(folder)) {
    throw InputError(named, "a folder without a network",
                     "FILE.onnx, a bundle, or a pretrained model's folder with config.json");
  }
  const std::string name = without_slash(named.lexically_normal()).filename().string();
  files_.push_back(write_picture_network(folder, folder_of_its_own(), name, WeightType::float32));
}

}  // namespace hinny
