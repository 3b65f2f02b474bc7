// The versions of the decoders that read pictures.
#pragma once

#include <string>

namespace hinny {

// Another text where files may be read that were not before, or otherwise: a number of ours and the
// versions of the libraries that run, "2 libheif 1.15.1 libtiff 4.5.0 ...".
std::string picture_reader_version();

}  // namespace hinny
