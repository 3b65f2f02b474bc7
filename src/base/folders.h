// Folders: what is in them, and how they are made.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

// What is in a folder, by name; nothing where there is no such folder. Throws Failure where it
// cannot be listed.
std::vector<std::filesystem::directory_entry> entries_in(const std::filesystem::path& folder);

// Names, without the extension, of its files with this one (".npy"), in order. Throws likewise.
std::set<std::string> names_of_files(const std::filesystem::path& folder,
                                     std::string_view extension);

// Creates a folder and its parents, whose names are then on the disk; a Failure names it when it
// cannot be made.
void create_folder(const std::filesystem::path& path);

}  // namespace hinny
