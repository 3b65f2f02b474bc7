// Raw pictures that lie beside what the camera made of them.
#pragma once

#include <vector>

#include "index/tree/picture_tree.h"

namespace hinny {

// Of files by name: a raw picture in the same folder and of the same name but for its ending as a
// JPEG or HEIC file (IMG_1.CR2, IMG_1.JPG) becomes that picture's `raw`, and is none by itself. A
// JPEG before a HEIC, and of several the first.
void join_raw_pairs(std::vector<TreePicture>& pictures);

}  // namespace hinny
