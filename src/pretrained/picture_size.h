// How a pretrained model's pictures are prepared, by the files that stand beside it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "vision/preprocess.h"

namespace hinny {

// From preprocessor_config.json (transformers), preprocess_cfg.json (photo servers) or
// open_clip_config.json. `side`: what its network sees, for what they leave open. Throws InputError
// where none is there, or asks for what is not supported.
Preprocess read_preprocess(const std::filesystem::path& folder, std::size_t side);

// The side of the square that is cut out, where a file says it.
std::optional<std::size_t> size_that_is_seen(const std::filesystem::path& folder);

}  // namespace hinny
