// Which reader of pictures this is.
#pragma once

#include <string>

namespace hinny {

// Changes when Hinny reads other pictures or more of them than before, and with the versions of the
// libraries that decode them. For people to read, and to be compared.
std::string picture_reader_version();

}  // namespace hinny
