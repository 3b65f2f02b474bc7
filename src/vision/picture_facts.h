// What a picture's file says of how it was taken: when, where, and with what.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "base/coordinates.h"
#include "vision/picture_time.h"

namespace hinny {

struct PictureNotes;

struct PictureFacts {
  std::optional<Taken> taken{};
  std::optional<Coordinates> place{};
  std::string camera{}, lens{};  // UTF-8, "NIKON D750"; "" where nothing is said
  std::string exposure{};        // "1/250 s, f/2.8, ISO 100, 50 mm", or what of it is known
  // Pixels, as it is shown; 0: not known. Of a raw picture those of its preview, or of the sensor.
  std::int64_t width = 0, height = 0;
  bool moves = false;  // a picture of several frames

  bool operator==(const PictureFacts&) const = default;
};

// Place and devices by what the camera wrote (EXIF); a place else by what programs wrote into the
// file or beside it (XMP). One that cannot be, and 0, 0, which devices write that know none, are no
// place. Safe to call from several threads.
PictureFacts picture_facts(const std::filesystem::path& file);
// The same by notes that are read already, and with the time that was found.
PictureFacts noted_facts(const std::optional<Taken>& taken, const PictureNotes& notes);

}  // namespace hinny
