// Files and folders that are being written and do not have their name yet: NAME.PID.tmp beside
// their place. A lock distinguishes them from what a killed process left.
#pragma once

#include <filesystem>

namespace hinny {

// Under which this process writes what will be `path`.
std::filesystem::path unfinished_name(const std::filesystem::path& path);

// Says that the file or folder is being written, until `descriptor` is closed: call it when it has
// been made. False: in the moment between, another process took it for left and removed it.
bool hold_unfinished(int descriptor);

// Removes what killed processes left under such names of `path`, as far as that can be done.
void remove_unfinished(const std::filesystem::path& path);

}  // namespace hinny
