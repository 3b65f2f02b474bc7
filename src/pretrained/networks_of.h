// What was named where a network for pictures is wanted, as a file that is one.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace hinny {

// Network files as they are; of a bundle, a folder or an archive, its own; of a pretrained model's
// folder its picture tower, in a folder that goes with this object.
class NamedNetworks {
 public:
  // Throws InputError for a folder that is neither, and as unpack_bundle and write_picture_network.
  explicit NamedNetworks(const std::vector<std::filesystem::path>& named);

  const std::vector<std::filesystem::path>& files() const { return files_; }

 private:
  void add(const std::filesystem::path& named);
  std::filesystem::path folder_of_its_own();
  std::vector<std::filesystem::path> files_;
  std::optional<TemporaryFolder> made_;
  std::size_t folders_ = 0;
};

}  // namespace hinny
