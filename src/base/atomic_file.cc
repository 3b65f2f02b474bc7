#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "base/file_calls.h"
#include "base/files.h"
#include "base/folder_name.h"
#include "base/unfinished.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

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

AtomicFile::AtomicFile(fs::path path) : path_(std::move(path)), temporary_(unfinished_name(path_)) {
  remove_unfinished(path_);
  do {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ = open_file(temporary_, O_RDWR | O_CREAT | O_TRUNC, 0644);
    if (descriptor_ < 0) throw Failure::from_errno("cannot create " + path_.string());
  } while (!hold_unfinished(descriptor_));
  buffer_.reserve(kBufferBytes);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ < 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) flush();
  if (bytes.size() > kBufferBytes) {
    put(bytes);
  } else {
    buffer_.append(bytes);
  }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::write_at(std::uint64_t offset, std::string_view bytes) {
  flush();
  if (!write_all_at(descriptor_, offset, bytes)) {
    throw Failure::from_errno("cannot write " + path_.string());
  }
}

void AtomicFile::put(std::string_view bytes) {
  if (!write_all(descriptor_, bytes)) throw Failure::from_errno("cannot write " + path_.string());
}

void AtomicFile::flush() {
  put(buffer_);
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (sync_file(descriptor_) != 0) throw Failure::from_errno("cannot sync " + path_.string());
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    throw Failure::from_errno("cannot write " + path_.string());
  }
  ::close(std::exchange(descriptor_, -1));
  sync_name(path_);
}

AtomicFolder::AtomicFolder(const fs::path& path)
    : target_(without_slash(path)), temporary_(unfinished_name(target_)) {
  remove_unfinished(target_);
  fs::remove_all(temporary_);
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

}  // namespace hinny
