#include "base/file_calls.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/folder_name.h"

namespace hinny {
namespace {

// Begins the call again when a signal ended it.
template <typename Call>
auto again(const Call& call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

template <typename Write>
bool write_pieces(std::string_view bytes, const Write& write) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = again([&] { return write(bytes.substr(done), done); });
    if (count == 0) errno = EIO;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

template <typename Read>
ssize_t read_pieces(std::span<std::byte> bytes, const Read& read) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = again([&] { return read(bytes.subspan(done), done); });
    if (count < 0) return -1;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  return static_cast<ssize_t>(done);
}

}  // namespace

int open_file(const std::filesystem::path& path, int flags, mode_t mode) {
  return again([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); });
}

int sync_file(int descriptor) {
  return again([&] { return ::fsync(descriptor); });
}

void sync_name(const std::filesystem::path& path) {
  const int descriptor = open_file(folder_of(path), O_RDONLY | O_DIRECTORY);
  if (descriptor < 0) return;
  sync_file(descriptor);
  ::close(descriptor);
}

bool write_all(int descriptor, std::string_view bytes) {
  return write_pieces(bytes, [&](std::string_view part, std::size_t) {
    return ::write(descriptor, part.data(), part.size());
  });
}

bool write_all_at(int descriptor, std::uint64_t offset, std::string_view bytes) {
  return write_pieces(bytes, [&](std::string_view part, std::size_t done) {
    return ::pwrite(descriptor, part.data(), part.size(), static_cast<off_t>(offset + done));
  });
}

ssize_t read_all(int descriptor, std::span<std::byte> bytes) {
  return read_pieces(bytes, [&](std::span<std::byte> part, std::size_t) {
    return ::read(descriptor, part.data(), part.size());
  });
}

ssize_t read_all_at(int descriptor, std::uint64_t offset, std::span<std::byte> bytes) {
  return read_pieces(bytes, [&](std::span<std::byte> part, std::size_t done) {
    return ::pread(descriptor, part.data(), part.size(), static_cast<off_t>(offset + done));
  });
}

void throw_unreadable(const std::filesystem::path& path, std::string_view what) {
  constexpr std::array kOfTheMachine = {EIO, EMFILE, ENFILE, ENOMEM, ENOSPC, ESTALE};
  const int reason = errno;
  if (reason == ENOENT) throw InputError(path, "no such file", "");
  const std::string text = fmt::format("{}: {}", what, std::strerror(reason));
  if (std::ranges::find(kOfTheMachine, reason) != kOfTheMachine.end()) {
    throw Failure(fmt::format("{}: {}", path.string(), text));
  }
  throw InputError(path, text, "a readable file");
}

OpenFile::OpenFile(const std::filesystem::path& path)
    : path_(path), descriptor_(open_file(path, O_RDONLY | O_NONBLOCK)) {
  if (descriptor_ < 0) throw_unreadable(path, "cannot open");
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode)) {
    ::close(descriptor_);
    throw InputError(path, "not a regular file", "a file");
  }
  size_ = static_cast<std::uint64_t>(status.st_size);
}

OpenFile::~OpenFile() { ::close(descriptor_); }

std::size_t OpenFile::read(char* bytes, std::size_t most) const {
  const ssize_t count = read_all(descriptor_, std::as_writable_bytes(std::span(bytes, most)));
  if (count < 0) throw_unreadable(path_, "cannot read");
  return static_cast<std::size_t>(count);
}

}  // namespace hinny
