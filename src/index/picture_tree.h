// The picture files below a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace hinny {

struct TreePicture {
  std::string file;           // below the root, '/' between its parts: any bytes
  std::uint64_t size = 0;     // bytes
  std::int64_t modified = 0;  // nanoseconds since 1970
};

struct PictureTree {
  std::filesystem::path root;         // as given, without symbolic links and relative parts
  std::vector<TreePicture> pictures;  // by name
  struct LeftOut {
    std::string path;
    std::string why;
  };
  // Folders that cannot be read, links that lead nowhere.
  std::vector<LeftOut> left_out;
  std::size_t other_formats =
      0;  // pictures by their names, of formats that are not read (GIF, raw)
};

// Called with each folder, the root among them, before it is read.
using VisitFolder = std::function<void(const std::filesystem::path& folder)>;

// JPEG, PNG, WebP, HEIC, AVIF and TIFF files by their names' endings, in all folders below `root`.
// Symbolic links are followed, each folder once, so that circles end. Names that begin with a dot
// are left alone, as programs keep previews there. Throws InputError when the root is no folder
// that can be read.
PictureTree find_pictures(const std::filesystem::path& root, const VisitFolder& visit = {});

// Whether a file of this name is taken for a picture that is read.
bool is_picture_name(const std::filesystem::path& name);

}  // namespace hinny
