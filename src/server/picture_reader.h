// Pictures in questions, read by OpenCV.
#pragma once

#include <string>
#include <vector>

#include "index/asking/question.h"

namespace hinny {

// An OpenPictures (index/asking/collection.h). Throws InputError for encoders that are broken.
ReadPicture open_picture_encoders(const std::vector<std::string>& encoders);

}  // namespace hinny
