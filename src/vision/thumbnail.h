// Small copies of pictures, to look at.
#pragma once

#include <string>

#include "vision/picture.h"

namespace hinny {

// A JPEG file whose longer side is at most `longest_side` (1 or more); a smaller picture keeps its
// size. Safe to call from several threads.
std::string thumbnail_jpeg(const Picture& picture, int longest_side);

}  // namespace hinny
