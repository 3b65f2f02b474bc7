// Which builds of which libraries a process runs.
#pragma once

#include <string>

namespace hinny {

// A hash (16 digits) of the program and the libraries that are loaded now, by the build IDs that
// linkers give them. Distributions mend libraries without changing their version numbers: two
// processes of the same hash run the same code.
std::string loaded_builds();

}  // namespace hinny
