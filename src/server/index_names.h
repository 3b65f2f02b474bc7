// Several indexes behind one server: their names, and the addresses below which each is asked.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hinny {

class Collection;

struct NamedIndex {
  std::string name;
  const Collection& collection;
};

// A folder to serve, and what it is called.
struct NamedFolder {
  std::string name;  // UTF-8 (base/path_text.h), without '/', not "", "." or ".."
  std::filesystem::path folder;
};

// FOLDER, which is called by its own name, or NAME=FOLDER. What is there under the whole text is a
// folder, and so is what has a '/' before the '='. Folders of one name become NAME-2, NAME-3, ...
// Throws InputError for a name that is given twice, or is none.
std::vector<NamedFolder> named_folders(std::span<const std::string> given);

// "/indexes/NAME/v1/search" is "/v1/search" of that index.
struct Address {
  std::optional<std::string> index{};  // its name, where one is given
  std::string path;                    // below the index; "" where the slash behind NAME is missing
};
Address address_of(std::string_view path);

// The address of an index's page as seen from a path of the API with the same or no index before
// it:
// "../indexes/mine/" from "/v1/indexes".
std::string page_of_index(const std::string& name, const Address& seen_from);

}  // namespace hinny
