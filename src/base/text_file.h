// Text as people save it: with a byte order mark at its start, or not in UTF-8 at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace hinny {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // U+FEFF in UTF-8

// `start`, all of a file or its first bytes, without the mark of UTF-8. Throws an InputError that
// names `file` where it begins as UTF-16 or UTF-32 does, and says how to convert it.
std::string_view without_mark(std::string_view start, const std::filesystem::path& file);

// What read_file (base/read_file.h) reads, the same way: without its mark.
std::string read_text(const std::filesystem::path& path,
                      std::uint64_t most_bytes = std::uint64_t{1} << 30U);

}  // namespace hinny
