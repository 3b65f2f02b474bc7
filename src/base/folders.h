// Folders: what is in them, and how they are made.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>

namespace hinny {

// Names, without the extension, of a folder's files with this one (".npy"), in order; none where
// there is no such folder.
std::set<std::string> names_of_files(const std::filesystem::path& folder,
                                     std::string_view extension);

// Creates a folder and its parents, whose names are then on the disk; a Failure names it when it
// cannot be made.
void create_folder(const std::filesystem::path& path);

}  // namespace hinny
