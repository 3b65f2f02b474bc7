// For tests: an index as it is, and without each of the parts that it need not have.
#pragma once

#include <filesystem>
#include <string>

#include "index/folder/optional_parts.h"

namespace hinny {

// Calls use(what, stated): what is missing, "" at first, and whether the index says that it is
// there. Each part is put back afterwards. Returns how many parts the index has.
template <typename Use>
std::size_t without_each_part(const std::filesystem::path& index, const Use& use) {
  namespace fs = std::filesystem;
  const fs::path aside = index.string() + "-aside";
  std::size_t parts = 0;
  use(std::string(), false);
  for (const OptionalPart& part : optional_parts()) {
    fs::create_directories(aside);
    bool had = false;
    for (const char* file : part.files) {
      if (!fs::exists(index / file)) continue;
      fs::rename(index / file, aside / file);
      had = true;
    }
    if (had) use(std::string(part.name), part.stated);
    parts += had ? 1 : 0;
    for (const auto& item : fs::directory_iterator(aside)) {
      fs::rename(item.path(), index / item.path().filename());
    }
    fs::remove_all(aside);
  }
  return parts;
}

}  // namespace hinny
