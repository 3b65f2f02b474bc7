// index.json and the names of the images, read strictly.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "index/folder/index.h"

namespace hinny {

// A name that stays inside its folder.
bool stays_inside(std::string_view file);

struct StoredContents {
  IndexContents contents;
  std::optional<NameOrder> order;  // of contents.images, where the index has it
};
// Throws InputError for anything that does not fit. Networks come with their folder. `checksums`,
// of the folder, may be null.
StoredContents read_index_contents(const std::filesystem::path& folder,
                                   const std::shared_ptr<const Checksums>& checksums);

}  // namespace hinny
