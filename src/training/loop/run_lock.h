// A run folder has one writer at a time.
#pragma once

#include <filesystem>
#include <vector>

namespace hinny {

// Holds a run folder, which is made where there is none, for as long as it lives; a process that is
// killed holds nothing. Throws InputError, which says who, when another process does, and Failure
// when the folder cannot be written to. A folder that was made and is still empty at the end goes
// with it.
class RunLock {
 public:
  explicit RunLock(std::filesystem::path run);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

 private:
  bool hold();  // false: another process has just removed the file, or the folder

  std::filesystem::path run_, file_;
  std::vector<std::filesystem::path> made_;  // folders, the innermost first
  int descriptor_ = -1;
};

}  // namespace hinny
