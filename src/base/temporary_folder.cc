#include "base/temporary_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <ctime>
#include <string>

#include "base/error.h"
#include "base/file_calls.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kPrefix = "hinny-temporary-";
constexpr std::time_t kYoung = 60;  // seconds in which its owner may not have locked it yet

int open_folder(const fs::path& folder) {
  return open_file(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

bool lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

// The lock of a process that is gone is free.
void remove_if_left(const fs::path& folder) {
  const int descriptor = open_folder(folder);
  if (descriptor < 0) return;
  struct stat status {};
  std::error_code ignored;
  if (::fstat(descriptor, &status) == 0 && status.st_uid == ::geteuid() &&
      std::time(nullptr) - status.st_mtime > kYoung && lock(descriptor)) {
    fs::remove_all(folder, ignored);
  }
  ::close(descriptor);
}

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::error_code problem;
  const fs::path parent = fs::temp_directory_path(problem);
  if (problem) throw Failure("TMPDIR names no folder");
  for (const auto& item : fs::directory_iterator(parent, problem)) {
    if (item.path().filename().string().starts_with(kPrefix)) remove_if_left(item.path());
  }
  std::string name = parent / fmt::format("{}XXXXXX", kPrefix);
  if (::mkdtemp(name.data()) == nullptr) throw Failure::from_errno("cannot create folder " + name);
  path_ = name;
  lock_ = open_folder(path_);
  if (lock_ >= 0) lock(lock_);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace hinny
