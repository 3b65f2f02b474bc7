// The file beside a network for pictures that says how to prepare them
// (docs/formats/encoder-sidecar.md).
#pragma once

#include <filesystem>

namespace hinny {

// Whether a file of this name is a network for pictures: FILE.onnx, or FILE.safetensors of a
// pretrained model's picture tower.
bool is_network_name(const std::filesystem::path& file);
inline constexpr const char* kNetworkNames = "FILE.onnx or FILE.safetensors";

// FILE.onnx.json or FILE.json beside FILE.onnx; empty where neither is there.
std::filesystem::path sidecar_beside(const std::filesystem::path& network);

}  // namespace hinny
