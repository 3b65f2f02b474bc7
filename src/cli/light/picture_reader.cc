#include "cli/picture_reader.h"

#include "base/error.h"

namespace hinny {

OpenPictures picture_opener() {
  return [](const auto&) -> ReadPicture {
    throw Failure("this program reads no pictures: hinny-vision does");
  };
}

PictureReader file_reader(const Model&, const std::vector<std::string>&) {
  throw Failure("this program reads no pictures: hinny-vision does");
}

}  // namespace hinny
