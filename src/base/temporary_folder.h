// A folder for the files of one run of a program.
#pragma once

#include <filesystem>

namespace hinny {

// Empty at first, below TMPDIR (or /tmp), for this user alone, and gone with the object. What a
// process that was killed left behind, the next one removes. Throws Failure when it cannot be made.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;  // held while the folder is in use, which the next process sees
};

}  // namespace hinny
