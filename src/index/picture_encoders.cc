#include "index/picture_encoders.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/files.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kBuiltin = "builtin-";  // "builtin-1": with the descriptor's version

// FILE.onnx.json, or FILE.json.
fs::path sidecar_of(const fs::path& network) {
  const fs::path full = network.string() + ".json";
  fs::path shorter = network;
  shorter.replace_extension(".json");
  for (const fs::path& file : {full, shorter}) {
    if (fs::is_regular_file(file)) return file;
  }
  throw InputError(network, "nothing says how to prepare pictures for this network",
                   fmt::format("a file {} (docs/formats/encoder-sidecar.md)", full.string()));
}

std::string keep(const fs::path& network, const fs::path& folder) {
  if (network.extension() != ".onnx" || !fs::is_regular_file(network)) {
    throw InputError(network, "is no network", "FILE.onnx");
  }
  const fs::path target = folder / "networks" / network.filename();
  if (fs::exists(target))
    throw InputError(network, "a second network of this name", "another name");
  create_folder(folder / "networks");
  copy_whole_file(network, target);
  copy_whole_file(sidecar_of(network), target.string() + ".json");
  return "networks/" + network.filename().string();
}

}  // namespace

std::vector<std::string> keep_picture_encoders(const Features& features,
                                               const std::vector<fs::path>& networks,
                                               const fs::path& folder) {
  std::vector<std::string> encoders;
  auto next = networks.begin();
  bool complete = true;
  for (const Features::Part& part : features.parts()) {
    if (part.name.starts_with(kBuiltin)) {
      encoders.push_back(part.name);
    } else if (next != networks.end()) {
      encoders.push_back(keep(*next++, folder));
    } else {
      complete = false;
    }
  }
  if (next != networks.end()) {
    throw InputError(*next, fmt::format("no feature file of {} is left for it", features.names()),
                     "one network for each that is not built in");
  }
  if (!complete && !networks.empty()) {
    throw InputError(fmt::format("{} networks for {}", networks.size(), features.names()),
                     "one for each feature file that is not built in");
  }
  return complete ? encoders : std::vector<std::string>{};
}

}  // namespace hinny
