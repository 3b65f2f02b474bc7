#include "base/unfinished.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>
#include <vector>

#include "base/file_calls.h"
#include "base/folder_name.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kEnding = ".tmp";

bool is_unfinished(std::string_view name, std::string_view of) {
  if (!name.starts_with(of) || !name.ends_with(kEnding)) return false;
  if (name.size() < of.size() + kEnding.size() + 2 || name[of.size()] != '.') return false;
  const std::string_view pid =
      name.substr(of.size() + 1, name.size() - of.size() - 1 - kEnding.size());
  return std::ranges::all_of(pid, [](char c) { return c >= '0' && c <= '9'; });
}

std::vector<fs::path> unfinished_of(const fs::path& path) {
  const std::string name = path.filename().string();
  std::vector<fs::path> found;
  std::error_code error;
  for (auto entry = fs::directory_iterator(folder_of(path), error);
       !error && entry != fs::directory_iterator(); entry.increment(error)) {
    if (is_unfinished(entry->path().filename().string(), name)) found.push_back(entry->path());
  }
  return found;
}

}  // namespace

fs::path unfinished_name(const fs::path& path) {
  return path.string() + fmt::format(".{}{}", ::getpid(), kEnding);
}

// Shared, so that threads that write the same name do not wait for each other.
bool hold_unfinished(int descriptor) {
  while (::flock(descriptor, LOCK_SH) != 0) {
    if (errno != EINTR) return true;  // a file system without locks, where nothing is removed
  }
  struct stat status {};
  return ::fstat(descriptor, &status) != 0 || status.st_nlink > 0;
}

void remove_unfinished(const fs::path& path) {
  for (const fs::path& left : unfinished_of(path)) {
    if (left.filename() == unfinished_name(path).filename()) continue;
    const int descriptor = open_file(left, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;
    if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0) {
      std::error_code ignored;
      fs::remove_all(left, ignored);
    }
    ::close(descriptor);
  }
}

}  // namespace hinny
