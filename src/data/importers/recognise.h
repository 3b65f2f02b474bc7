// What a file or folder is by its content, for messages of the importer that was given it.
#pragma once

#include <filesystem>
#include <string>

namespace hinny {

// The name of the import format that reads it, "array" for one JSON array, or "" where it is none
// that is known. Reads its first 64 KiB.
std::string import_format_of(const std::filesystem::path& source);

// What to say where the importer `chosen` could not read it: "; it looks like ...", or "".
std::string other_format_hint(const std::filesystem::path& source, const std::string& chosen);

}  // namespace hinny
