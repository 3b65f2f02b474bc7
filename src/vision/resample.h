// Resizing as Pillow does it, to the bit: networks are trained and measured on such pictures.
// OpenCV's bicubic and bilinear look at 4 and 2 pixels however far a picture shrinks.
#pragma once

#include "vision/picture.h"

namespace hinny {

enum class Filter { bilinear, bicubic };

// `width` and `height` are at least 1, and at most 4096 times smaller than the picture's. Takes no
// more memory beside the result than 150 MB or the larger of the two pictures. Safe to call from
// several threads.
Picture resample(const Picture& picture, int width, int height, Filter filter);

}  // namespace hinny
