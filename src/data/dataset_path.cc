#include "data/dataset_path.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"

namespace hinny {
namespace fs = std::filesystem;

fs::path find_dataset(const std::string& name) {
  if (fs::is_directory(name)) return name;
  const char* root = std::getenv("HINNY_DATA");
  if (root == nullptr) {
    throw InputError(fmt::format("no dataset folder '{}'", name),
                     "a folder, or a name inside $HINNY_DATA, which is not set");
  }
  if (!name.empty() && fs::is_directory(fs::path(root) / name)) return fs::path(root) / name;
  throw InputError(fmt::format("no dataset folder '{}', nor one in {}", name, root),
                   "a folder with images.jsonl");
}

}  // namespace hinny
