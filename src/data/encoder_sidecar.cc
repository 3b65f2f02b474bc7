#include "data/encoder_sidecar.h"

namespace hinny {
namespace fs = std::filesystem;

bool is_network_name(const fs::path& file) {
  return file.extension() == ".onnx" || file.extension() == ".safetensors";
}

fs::path sidecar_beside(const fs::path& network) {
  fs::path shorter = network;
  shorter.replace_extension(".json");
  for (const fs::path& file : {fs::path(network.string() + ".json"), shorter}) {
    if (fs::is_regular_file(file)) return file;
  }
  return {};
}

}  // namespace hinny
