// What a picture's file says of how it was taken: when, where, and with what.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "vision/picture_time.h"

namespace hinny {

struct PictureNotes;

// Degrees, north and east; latitude within 90, longitude within 180.
struct Coordinates {
  double latitude = 0, longitude = 0;

  bool operator==(const Coordinates&) const = default;
};

struct PictureFacts {
  std::optional<Taken> taken{};
  std::optional<Coordinates> place{};
  std::string camera{}, lens{};  // UTF-8, "NIKON D750"; "" where nothing is said

  bool operator==(const PictureFacts&) const = default;
};

// Place and devices by what the camera wrote (EXIF). A place that cannot be, and 0, 0, which
// devices write that know none, are no place. Safe to call from several threads.
PictureFacts picture_facts(const std::filesystem::path& file);

// Kilometres between two places on a sphere of the earth's mean radius (haversine).
double distance(const Coordinates& a, const Coordinates& b);

}  // namespace hinny
