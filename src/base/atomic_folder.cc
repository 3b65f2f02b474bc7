#include "base/atomic_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file_calls.h"
#include "base/folder_name.h"
#include "base/folders.h"
#include "base/unfinished.h"

namespace hinny {
namespace fs = std::filesystem;

namespace {

// An exchange keeps the old folder reachable until the very moment the new one is in place. File
// systems without it (NFS) have a moment with neither: the old one is then at `made`.old.
bool exchanged(const fs::path& made, const fs::path& target) {
  if (::renameat2(AT_FDCWD, made.c_str(), AT_FDCWD, target.c_str(), RENAME_EXCHANGE) == 0) {
    return true;
  }
  if (errno != EINVAL && errno != ENOSYS) return false;
  const std::string old = made.string() + ".old";
  if (::rename(target.c_str(), old.c_str()) != 0) return false;
  if (::rename(made.c_str(), target.c_str()) == 0) {
    return ::rename(old.c_str(), made.c_str()) == 0;
  }
  const int reason = errno;
  if (::rename(old.c_str(), target.c_str()) == 0) errno = reason;
  return false;
}

}  // namespace

AtomicFolder::AtomicFolder(const fs::path& path)
    : target_(without_slash(path)), temporary_(unfinished_name(target_)) {
  remove_unfinished(target_);
  std::error_code problem;
  fs::remove_all(temporary_, problem);
  if (problem && problem != std::errc::not_a_directory) {  // that above it, as create_folder says
    throw Failure(fmt::format("cannot remove {}: {}", temporary_.string(), problem.message()));
  }
  do {
    if (descriptor_ >= 0) ::close(descriptor_);
    create_folder(temporary_);
    descriptor_ = open_file(temporary_, O_RDONLY | O_DIRECTORY);
    if (descriptor_ < 0 && errno != ENOENT) give_up();
  } while (descriptor_ < 0 || !hold_unfinished(descriptor_));
}

void AtomicFolder::give_up() const {
  const int reason = errno;
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
  errno = reason;
  throw Failure::from_errno("cannot open " + temporary_.string());
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
  ::close(descriptor_);
}

void AtomicFolder::commit() {
  const bool replaces = fs::exists(target_);
  if (!(replaces ? exchanged(temporary_, target_)
                 : ::rename(temporary_.c_str(), target_.c_str()) == 0)) {
    throw Failure::from_errno("cannot replace " + target_.string());
  }
  sync_name(target_);
  std::error_code ignored;
  fs::remove_all(temporary_, ignored);
}

void check_replaceable(const fs::path& folder, std::string_view file, std::string_view what) {
  if (!fs::exists(folder) || fs::exists(folder / file)) return;
  if (fs::is_directory(folder) && fs::is_empty(folder)) return;
  throw InputError(folder, fmt::format("is there and is no {}", what),
                   fmt::format("a new folder, or another {} to replace", what));
}

}  // namespace hinny
