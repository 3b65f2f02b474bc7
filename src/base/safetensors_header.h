// The JSON header of a safetensors file, read strictly.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "base/safetensors.h"

namespace hinny {

struct SafetensorsHeader {
  // Each tensor's place in the data that follows the header.
  struct Entry {
    TensorType type = TensorType::float32;
    std::vector<std::int64_t> shape;
    std::uint64_t begin = 0, end = 0;
  };
  std::map<std::string, Entry> tensors;
  std::map<std::string, std::string> metadata;
};

// Parses as a stream, so memory stays within a few times the header's size whatever it nests.
// Throws InputError (naming `path`) for anything the format does not have: unknown keys, the same
// name twice, numbers that are not counts. Offsets are not compared with anything here.
SafetensorsHeader parse_safetensors_header(const std::filesystem::path& path,
                                           std::string_view json);

std::string_view safetensors_name(TensorType type);  // "F32"

}  // namespace hinny
