// README.md of a bundle: what people want to know before they use it.
#pragma once

#include <filesystem>
#include <string>

#include "index/bundle/bundle.h"

namespace hinny {

// A network of a bundle, by its file and sidecar.
struct NetworkCard {
  std::string name;         // FILE.onnx
  int side = 0;             // pixels of the square that it sees; 0 where the sidecar does not say
  std::uint64_t bytes = 0;  // of the file
  std::string hash;         // likewise
};

// Throws InputError where the file or the sidecar cannot be read. The sidecar is not checked: who
// opens the network does that.
NetworkCard network_card(const std::filesystem::path& network);

// Of a bundle's folder, but the card itself.
std::uint64_t bytes_of_bundle(const std::filesystem::path& folder);

// Of a folder that is whole but for the card. `source` is the model's folder: what its README.md
// says below its first heading of the second level, or all of one that is no bundle's, follows.
std::string bundle_card(const PictureModel& bundle, const std::filesystem::path& source);

}  // namespace hinny
