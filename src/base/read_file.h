// Small files, read as a whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace hinny {

// A whole small file. Throws InputError when it is missing, unreadable or larger than `most_bytes`.
std::string read_file(const std::filesystem::path& path,
                      std::uint64_t most_bytes = std::uint64_t{1} << 30);

}  // namespace hinny
