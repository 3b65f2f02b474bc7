// When a picture was taken.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace hinny {

struct PictureNotes;

// What says when a picture was taken. `film`: a film's own notes. `file`: nothing but when its file
// was changed.
enum class TakenFrom { exif, xmp, name, film, file };

struct Taken {
  std::int64_t at = 0;  // seconds since 1970 of the camera's clock, as if that had been set to UTC
  TakenFrom from = TakenFrom::exif;

  bool operator==(const Taken&) const = default;
};

// By what the camera wrote (EXIF), else what programs wrote into the file or beside it (XMP:
// FILE.xmp or the same name with that ending), else by the file's name. nullopt where nothing of
// use is said. `notes` are the file's. Safe to call from several threads.
std::optional<Taken> taken_at(const std::filesystem::path& file, const PictureNotes& notes);

}  // namespace hinny
