// TIFF files, as far as they are read before OpenCV decodes them.
#pragma once

#include "vision/bounded_bytes.h"
#include "vision/picture.h"

namespace hinny {

// Of the first picture, turned as the file says, once the data of all its parts are there, none of
// them larger than kMostPixels. RequestError otherwise.
PictureSize tiff_size(const BoundedBytes& file);

}  // namespace hinny
