// An index that is being made, and can be searched meanwhile: it says how many pictures there are
// to be. docs/formats/index.md, growing.json.
#pragma once

#include <cstddef>
#include <filesystem>

namespace hinny {

constexpr const char* kGrowingFile = "growing.json";

void write_growing(const std::filesystem::path& index, std::size_t expected);
// 0 for an index that is whole. Throws InputError for a file that is broken.
std::size_t expected_images(const std::filesystem::path& index);

}  // namespace hinny
