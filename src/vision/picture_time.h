// When a picture was taken.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace hinny {

// By what the camera wrote into a JPEG, HEIC, AVIF or TIFF file (EXIF): seconds since 1970 of the
// camera's clock, as if that had been set to UTC. nullopt where the file says nothing of use. Safe
// to call from several threads.
std::optional<std::int64_t> taken_at(const std::filesystem::path& file);

}  // namespace hinny
