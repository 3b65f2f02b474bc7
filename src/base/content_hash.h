// Hashes that identify a file's content.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace hinny {

// 32 hexadecimal digits that identify a file's content (XXH128: identity, not secrecy).
std::string content_hash(const std::filesystem::path& path);
std::string content_hash(std::string_view bytes);

}  // namespace hinny
