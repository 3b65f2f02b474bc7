// Which file a collection's number stands for: docs/formats/imports.md, precomp.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

namespace hinny {

// Names of picture files by the numbers that precomp folders use: of a Karpathy split file, where
// they are its "imgid" (or "cocoid", where it has them), or of one JSON object of numbers and names
// ({"0": "1000092795.jpg"}). InputError: another file, a number given twice.
using ImageNames = std::unordered_map<std::string, std::string>;
ImageNames read_image_names(const std::filesystem::path& file);

}  // namespace hinny
