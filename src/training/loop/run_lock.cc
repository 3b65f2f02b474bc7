#include "training/loop/run_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "base/error.h"
#include "base/file_calls.h"
#include "base/folders.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr const char* kFile = ".lock";

std::vector<fs::path> missing_folders(const fs::path& run) {
  std::vector<fs::path> missing;
  std::error_code ignored;
  for (fs::path path = run; !path.empty() && !fs::exists(path, ignored);
       path = path.parent_path()) {
    missing.push_back(path);
  }
  return missing;
}

// "process 812 on node7", as its holder wrote; empty: it has not yet.
std::string holder(int descriptor) {
  std::array<std::byte, 256> bytes{};
  const ssize_t count = read_all_at(descriptor, 0, bytes);
  std::string text(reinterpret_cast<const char*>(bytes.data()),
                   count > 0 ? static_cast<std::size_t>(count) : 0);
  return text.substr(0, text.find('\n'));
}

std::string own_name() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("process {} on {}", ::getpid(),
                     host[0] == '\0' ? "this machine" : host.data());
}

}  // namespace

RunLock::RunLock(fs::path run) : run_(std::move(run)), file_(run_ / kFile) {
  made_ = missing_folders(run_.has_filename() ? run_ : run_.parent_path());
  do {
    create_folder(run_);
  } while (!hold());
}

bool RunLock::hold() {
  descriptor_ = open_file(file_, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor_ < 0) {
    if (errno == ENOENT) return false;
    throw Failure::from_errno("cannot write in " + run_.string());
  }
  while (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno == EINTR) continue;
    if (errno != EWOULDBLOCK) return true;  // a file system without locks
    const std::string who = holder(descriptor_);
    ::close(descriptor_);
    throw InputError(run_,
                     fmt::format("{} writes in this folder now", who.empty() ? "a process" : who),
                     "another --out, or to wait until that is done");
  }
  struct stat status {};
  if (::fstat(descriptor_, &status) == 0 && status.st_nlink == 0) {
    ::close(descriptor_);
    return false;
  }
  if (::ftruncate(descriptor_, 0) == 0) write_all_at(descriptor_, 0, own_name() + "\n");
  return true;
}

RunLock::~RunLock() {
  ::unlink(file_.c_str());
  ::close(descriptor_);
  for (const fs::path& folder : made_) {
    if (::rmdir(folder.c_str()) != 0) return;
  }
}

}  // namespace hinny
