#include "index/bundle/picture_encoders.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "data/encoder_sidecar.h"
#include "index/bundle/bundle_record.h"

namespace hinny {
namespace fs = std::filesystem;

fs::path sidecar_of(const fs::path& network) {
  const fs::path beside = sidecar_beside(network);
  if (!beside.empty()) return beside;
  throw InputError(network, "nothing says how to prepare pictures for this network",
                   fmt::format("--preset of hinny features or hinny bundle, or a file {}.json "
                               "(docs/formats/encoder-sidecar.md)",
                               network.string()));
}

std::vector<std::string> picture_encoders(const std::vector<std::string>& features,
                                          const std::vector<fs::path>& networks) {
  std::set<std::string> names;
  for (const fs::path& network : networks) {
    if (!is_network_name(network) || !fs::is_regular_file(network)) {
      throw InputError(network, "is no network", kNetworkNames);
    }
    if (!names.insert(network.filename().string()).second) {
      throw InputError(network, "a second network of this name", "another name");
    }
    sidecar_of(network);
  }
  std::vector<std::string> encoders;
  auto next = networks.begin();
  bool complete = true;
  for (const std::string& feature : features) {
    if (feature.starts_with(kBuiltinEncoder)) {
      encoders.push_back(feature);
    } else if (next != networks.end()) {
      encoders.push_back((next++)->string());
    } else {
      complete = false;
    }
  }
  if (next != networks.end()) {
    throw InputError(*next,
                     fmt::format("no feature file of {} is left for it", fmt::join(features, "+")),
                     "one network for each that is not built in");
  }
  if (!complete && !networks.empty()) {
    throw InputError(fmt::format("{} networks for {}", networks.size(), fmt::join(features, "+")),
                     "one for each feature file that is not built in");
  }
  return complete ? encoders : std::vector<std::string>{};
}

std::vector<std::string> store_picture_encoders(const std::vector<std::string>& features,
                                                const std::vector<fs::path>& networks,
                                                const fs::path& folder) {
  std::vector<std::string> encoders = picture_encoders(features, networks);
  for (std::string& encoder : encoders) {
    if (encoder.starts_with(kBuiltinEncoder)) continue;
    const fs::path network = encoder;
    encoder = std::string(kNetworksFolder) + "/" + network.filename().string();
    create_folder(folder / kNetworksFolder);
    copy_whole_file(network, folder / encoder);
    copy_whole_file(sidecar_of(network), (folder / encoder).string() + ".json");
  }
  return encoders;
}

}  // namespace hinny
