// What files are, by the endings of their names.
#pragma once

#include <cstddef>
#include <filesystem>

namespace hinny {

// picture: of a format that is read. other_picture: of one that is not (GIF, Photoshop's).
enum class FileKind { picture, film, other_picture, other };
FileKind kind_of_file(const std::filesystem::path& name);

// What cameras write side by side of one photograph.
enum class CameraFile { none, jpeg, heic, raw };
CameraFile camera_file(const std::filesystem::path& name);

struct FilesNotRead {
  std::size_t films = 0, other_pictures = 0, others = 0;

  void count(FileKind kind);
};

}  // namespace hinny
