// What files are, by the endings of their names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace hinny {

// picture: of a format that is read. other_picture: of one that is not (BMP, Photoshop's).
enum class FileKind { picture, film, other_picture, other };
FileKind kind_of_file(const std::filesystem::path& name);
// As a whole path has it.
inline bool is_film(const std::filesystem::path& file) {
  return kind_of_file(file.filename()) == FileKind::film;
}

// Whether it may be images of an index by its frames: a film, or a picture that may move.
bool may_have_frames(const std::filesystem::path& file);

// "JPG" -> "jpg": ASCII's letters, as endings have them.
std::string small_letters(std::string text);

// What cameras write side by side of one photograph.
enum class CameraFile { none, jpeg, heic, raw };
CameraFile camera_file(const std::filesystem::path& name);

struct FilesNotRead {
  std::size_t films = 0, other_pictures = 0, others = 0;

  void count(FileKind kind);
};

}  // namespace hinny
