// What a tokenizer's file says beside its tensors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "base/safetensors.h"
#include "tokenizer/cutter.h"
#include "tokenizer/step.h"

namespace hinny {

struct TokenizerDescription {
  CutterOptions cutter;
  std::vector<Step> normalisers, splitters;
  std::vector<std::int32_t> before, after;
  std::int32_t padding = -1;
};

// Throws InputError for what is none, or another version's.
TokenizerDescription read_tokenizer_description(const std::filesystem::path& path,
                                                const SafetensorsFile& file);

}  // namespace hinny
