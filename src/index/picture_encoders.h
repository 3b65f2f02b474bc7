// How an index turns pictures into features: what is recorded, and the networks it keeps.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/features.h"

namespace hinny {

// One name for each part of the features: the built-in descriptor by its own, and for every other
// part the next of `networks` (FILE.onnx with its sidecar beside it), copied into
// `folder`/networks. Empty when a part is left without; so `networks` may be empty. Throws
// InputError for a missing file, two of one name, or more networks than parts to use them for.
std::vector<std::string> keep_picture_encoders(const Features& features,
                                               const std::vector<std::filesystem::path>& networks,
                                               const std::filesystem::path& folder);

}  // namespace hinny
