// The file beside a network for pictures that says how to prepare them
// (docs/formats/encoder-sidecar.md).
#pragma once

#include <filesystem>

namespace hinny {

// FILE.onnx.json or FILE.json beside FILE.onnx; empty where neither is there.
std::filesystem::path sidecar_beside(const std::filesystem::path& network);

}  // namespace hinny
