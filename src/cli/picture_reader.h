// Pictures in questions. Decoding them takes OpenCV, so only hinny-vision can: it links another
// definition of this function than hinny does, which never gets here (cli/dispatch.h).
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "index/index.h"

namespace hinny {

// A picture file -> the features that the index's model reads. Throws InputError.
using ReadPicture = std::function<std::vector<float>(const std::filesystem::path& file)>;

// Throws InputError when the index does not know how its features were made.
ReadPicture open_picture_reader(const Index& index);

}  // namespace hinny
