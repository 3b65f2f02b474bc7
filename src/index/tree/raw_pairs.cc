#include "index/tree/raw_pairs.h"

#include <string>
#include <string_view>
#include <unordered_map>

namespace hinny {
namespace {

// Without the ending of its name.
std::string_view stem_of(const TreePicture& picture) {
  return std::string_view(picture.file).substr(0, picture.file.rfind('.'));
}

}  // namespace

void join_raw_pairs(std::vector<TreePicture>& pictures) {
  std::unordered_map<std::string_view, TreePicture*> made;  // by a camera, by its stem
  for (const CameraFile kind : {CameraFile::jpeg, CameraFile::heic}) {
    for (TreePicture& picture : pictures) {
      if (camera_file(picture.file) == kind) made.emplace(stem_of(picture), &picture);
    }
  }
  const auto joined = [&](const TreePicture& picture) {
    if (camera_file(picture.file) != CameraFile::raw) return false;
    const auto found = made.find(stem_of(picture));
    if (found == made.end()) return false;
    found->second->raw.push_back(picture.file.substr(picture.file.rfind('/') + 1));
    return true;
  };
  std::vector<bool> is_joined;
  for (const TreePicture& picture : pictures) is_joined.push_back(joined(picture));
  std::size_t i = 0;
  std::erase_if(pictures, [&](const TreePicture&) { return is_joined[i++]; });
}

}  // namespace hinny
