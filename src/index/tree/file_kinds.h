// What files are, by the endings of their names.
#pragma once

#include <cstddef>
#include <filesystem>

namespace hinny {

// picture: of a format that is read. other_picture: of one that is not (GIF, Photoshop's).
enum class FileKind { picture, raw, film, other_picture, other };
FileKind kind_of_file(const std::filesystem::path& name);

struct FilesNotRead {
  std::size_t films = 0, raw = 0, other_pictures = 0, others = 0;

  void count(FileKind kind);
};

}  // namespace hinny
