// Calls of the operating system on files: a signal that comes between does not end them.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace hinny {

// open(2); -1 and errno when it fails.
int open_file(const std::filesystem::path& path, int flags, mode_t mode = 0);
// 0, or -1 and errno.
int sync_file(int descriptor);
// So that `path` keeps its name when the machine loses power, as far as the disk can say so.
void sync_name(const std::filesystem::path& path);

// True when all bytes were written; else errno says why not.
bool write_all(int descriptor, std::string_view bytes);
bool write_all_at(int descriptor, std::uint64_t offset, std::string_view bytes);
// How many bytes were read, fewer than asked for at the end of the file alone; -1 and errno.
ssize_t read_all(int descriptor, std::span<std::byte> bytes);
ssize_t read_all_at(int descriptor, std::uint64_t offset, std::span<std::byte> bytes);

// What errno says of a file that cannot be opened or read (`what`: "cannot open"): Failure when
// the machine is to blame (the disk, too many open files, memory), else InputError.
[[noreturn]] void throw_unreadable(const std::filesystem::path& path, std::string_view what);

// A regular file, open for reading. What else has its name (a pipe, a device) does not make it
// wait. Throws InputError, or Failure as above.
class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path);
  ~OpenFile();
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  int descriptor() const { return descriptor_; }
  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }  // when it was opened
  // What comes next; fewer than asked for at the end of the file alone.
  std::size_t read(char* bytes, std::size_t most) const;

 private:
  std::filesystem::path path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

}  // namespace hinny
