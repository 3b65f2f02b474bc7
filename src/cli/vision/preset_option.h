// --preset of the verbs that take a network.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/temporary_folder.h"
#include "vision/picture_encoder.h"

namespace hinny {

// open_with_preset, and its sidecar beside the network, where that folder takes one: says on stderr
// what was written, or why nothing was.
std::unique_ptr<PictureEncoder> encoder_by_preset(const std::string& network,
                                                  const std::string& preset);

// Networks for a bundle, which takes their sidecars from beside them. Of those that have none and a
// preset, links with a sidecar stand in a folder that goes with this object: nothing is written
// where the networks lie.
class NetworksByPreset {
 public:
  // `presets`: none, one for all networks, or one for each. Throws as open_with_preset.
  NetworksByPreset(const std::vector<std::filesystem::path>& networks,
                   const std::vector<std::string>& presets);

  const std::vector<std::filesystem::path>& networks() const { return networks_; }
  // A message with the networks' own names for those of the links.
  std::string with_own_names(std::string message) const;

 private:
  std::vector<std::filesystem::path> networks_;
  std::vector<std::pair<std::string, std::string>> names_;  // a link's, its network's
  std::optional<TemporaryFolder> links_;
};

// The presets, for --help.
std::string preset_help();

}  // namespace hinny
