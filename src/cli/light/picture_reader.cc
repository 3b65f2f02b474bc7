#include "cli/picture_reader.h"

#include "base/error.h"

namespace hinny {

ReadPicture open_picture_reader(const Index& /*index*/) {
  throw Failure("this program reads no pictures: hinny-vision does");
}

}  // namespace hinny
