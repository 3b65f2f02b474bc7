// Small pieces that several branches share.
#pragma once

#include <torch/types.h>

#include <nlohmann/json.hpp>
#include <string>

namespace hinny {

// Rows to unit length, x / max(|x|, 1e-12).
torch::Tensor unit_rows(const torch::Tensor& rows);

// Entries of "layers" in config.json (docs/formats/model.md).
nlohmann::json describe_layer(const std::string& kind, const std::string& prefix = {});

}  // namespace hinny
