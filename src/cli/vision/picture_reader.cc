#include "cli/picture_reader.h"

#include "server/picture_reader.h"

namespace hinny {

OpenPictures picture_opener() { return open_picture_encoders; }

}  // namespace hinny
