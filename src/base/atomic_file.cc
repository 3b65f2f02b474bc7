#include "base/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "base/file_calls.h"
#include "base/folder_name.h"
#include "base/mapped_file.h"
#include "base/unfinished.h"

namespace hinny {
namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBufferBytes = std::size_t{1} << 20;

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

void write_file(const fs::path& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void copy_whole_file(const std::filesystem::path& from, const std::filesystem::path& to) {
  const MappedFile source(from);
  AtomicFile target(to);
  target.write(source.bytes());
  target.commit();
}

}  // namespace hinny
