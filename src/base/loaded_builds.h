// Which builds of which libraries a process runs.
#pragma once

#include <string>
#include <string_view>

namespace hinny {

// A hash (16 digits) of the program and the libraries that are loaded now, by the build IDs that
// linkers give them. Distributions mend libraries without changing their version numbers: two
// processes of the same hash run the same code.
std::string loaded_builds();

// The build ID among the notes of an ELF file (a segment PT_NOTE), in hexadecimal digits; "" where
// there is none. Notes that are cut off are not read.
std::string build_id(std::string_view notes);

}  // namespace hinny
