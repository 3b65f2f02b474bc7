// Pictures in questions. Decoding them takes OpenCV, so only hinny-vision can: it links another
// definition of this function than hinny does, which never gets here (cli/dispatch.h).
#pragma once

#include "index/collection.h"

namespace hinny {

OpenPictures picture_opener();

}  // namespace hinny
