// When and where a picture was taken, by XMP: the XML that programs write into pictures and beside
// them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "base/coordinates.h"

namespace hinny {

struct XmpFacts {
  std::optional<std::int64_t> taken;    // exif:DateTimeOriginal, photoshop:DateCreated, ...
  std::optional<std::int64_t> created;  // xmp:CreateDate, which may be the file's own
  std::optional<Coordinates> place;     // exif:GPSLatitude and GPSLongitude; not 0, 0
};

// Of XML that is broken, what stands before the fault. What declares entities is read up to there.
XmpFacts xmp_facts(std::string_view xmp);

// What lies beside a picture or a film: "IMG.jpg.xmp" or "IMG.xmp", as darktable and Lightroom name
// them. "" where there is none that can be read, or it has more than 16 MiB.
std::string xmp_beside(const std::filesystem::path& file);

}  // namespace hinny
