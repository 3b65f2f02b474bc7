// HEIF files (HEIC, AVIF), by libheif. Safe to call from several threads.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace hinny {

// By the file's first box; whether it can be decoded is another matter.
bool is_heif(std::span<const std::byte> file);

// What the camera wrote: "Exif", two zeros and a TIFF directory, as in a JPEG file; "" where there
// is none, or the file is broken.
std::string heif_exif(std::span<const std::byte> file);
// What programs wrote about the main picture in XMP; "" likewise.
std::string heif_xmp(std::span<const std::byte> file);

}  // namespace hinny
