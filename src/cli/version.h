// Which Hinny this is, for people who report what it did.
#pragma once

#include <string>

namespace hinny {

// "hinny 0.2.0 (1a2b3c4, Release, g++ 12.2.0)"; without the commit where the source had none.
std::string version_line();

}  // namespace hinny
