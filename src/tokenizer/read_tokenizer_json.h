// Hugging Face's tokenizer.json, which says everything of a tokenizer.
#pragma once

#include <cstddef>
#include <filesystem>

#include "tokenizer/tokenizer_parts.h"

namespace hinny {

struct TokenizerJson {
  TokenizerParts parts;
  std::size_t most = 0;  // to how many ids it cuts; 0: not said
};

// Throws InputError, naming file and place, for what is not known ("unsupported"), broken or too
// large.
TokenizerJson read_tokenizer_json(const std::filesystem::path& path);

}  // namespace hinny
