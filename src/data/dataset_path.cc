#include "data/dataset_path.h"

#include <fmt/format.h>

#include <cstdlib>

#include "base/error.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

// nullptr when HINNY_DATA is unset, or empty.
const char* data_root() {
  const char* root = std::getenv("HINNY_DATA");
  return root == nullptr || *root == '\0' ? nullptr : root;
}

}  // namespace

fs::path dataset_in_root(const std::string& name) {
  const char* root = data_root();
  if (root == nullptr || name.empty()) return {};
  fs::path folder = fs::path(root) / name;
  return fs::is_directory(folder) ? folder : fs::path();
}

fs::path find_dataset(const std::string& name) {
  if (fs::is_directory(name)) return name;
  if (fs::path folder = dataset_in_root(name); !folder.empty()) return folder;
  const char* root = data_root();
  if (root == nullptr) {
    throw InputError(fmt::format("no dataset folder '{}'", name),
                     "a folder, or a name inside $HINNY_DATA, which is not set");
  }
  throw InputError(fmt::format("no dataset folder '{}', nor one in {}", name, root),
                   "a folder with images.jsonl");
}

}  // namespace hinny
