// What cameras and programs write into picture files beside the picture.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace hinny {

struct PictureNotes {
  // EXIF, as text: of the moment that the picture was taken, that it became numbers, and that the
  // file was written; "" where nothing is said.
  std::string original, digitized, written;
  std::string xmp, more_xmp;  // XML, or ""; JPEG files may have two parts
  std::string make, model, lens;
  // As they are written: any number, or NaN. Degrees; seconds of light, the aperture as a number,
  // the film's speed (ISO), and millimetres.
  std::optional<double> latitude, longitude, exposure, aperture, speed, focal_length;
  // Pixels of the picture as it is shown; of a file that is no picture none.
  std::optional<double> width, height;
  std::optional<double> frames;  // of a whole GIF or WebP file that moves: 2, for two or more
};

// Of JPEG, PNG, GIF, WebP, HEIC, AVIF, JPEG XL, TIFF and raw files, wherever these keep their
// notes. Reads little of the file but for HEIC and AVIF; of a broken file, what is there. As
// picture.h has it, by a program of its own. Safe to call from several threads.
PictureNotes picture_notes(const std::filesystem::path& file);

}  // namespace hinny
