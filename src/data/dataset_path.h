// Where a dataset named on the command line lies.
#pragma once

#include <filesystem>
#include <string>

namespace hinny {

// `name` itself when it is a folder, else $HINNY_DATA/name. Throws InputError saying where it
// looked.
std::filesystem::path find_dataset(const std::string& name);

// $HINNY_DATA/name when that is a folder, else nothing: for names that may be of something else.
std::filesystem::path dataset_in_root(const std::string& name);

}  // namespace hinny
