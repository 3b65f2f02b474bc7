// Pictures in questions. Decoding them takes OpenCV, so only hinny-vision can: it links another
// definition of this function than hinny does, which never gets here (cli/dispatch.h).
#pragma once

#include "index/asking/collection.h"
#include "index/pictures/index_pictures.h"

namespace hinny {

OpenPictures picture_opener();

// Reads files by these encoders (PictureModel::encoders), which are opened when the first file is
// read. Throws InputError where they do not make the features that `model` was trained on.
PictureReader file_reader(const Model& model, const std::vector<std::string>& encoders);

}  // namespace hinny
