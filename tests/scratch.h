// A folder for the files of one test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

#include "base/error.h"

namespace hinny {

// Empty, unlike any other of this or another process, and gone with the object. Stands for its
// path.
class Scratch {
 public:
  Scratch() {
    std::string name = std::filesystem::temp_directory_path() / "hinny-test-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) throw Failure::from_errno("cannot make " + name);
    path_ = name;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  operator const std::filesystem::path&() const { return path_; }
  std::filesystem::path operator/(const std::filesystem::path& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace hinny
