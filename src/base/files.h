// Files that are whole or absent: written beside their place, synced, then renamed into it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <string_view>

namespace hinny {

// A file that appears under its name only on commit(). Without commit() nothing changes: an
// earlier file of that name stays as it was. What a killed process left of it is removed
// (base/unfinished.h). Throws Failure when the disk does not take it.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void write(std::span<const std::byte> bytes);
  // Overwrites bytes already written, for headers known last.
  void write_at(std::uint64_t offset, std::string_view bytes);
  // Syncs and renames. Call once, last.
  void commit();

 private:
  void put(std::string_view bytes);
  void flush();
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  std::string buffer_;
  int descriptor_ = -1;
};

// A folder that appears under its name only on commit(), replacing an earlier one as a whole.
// Fill path() in between. Readers that hold the old folder's files open keep them.
class AtomicFolder {
 public:
  explicit AtomicFolder(const std::filesystem::path& path);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  const std::filesystem::path& path() const { return temporary_; }
  void commit();

 private:
  [[noreturn]] void give_up() const;
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  int descriptor_ = -1;
};

// What is there and is no `what`, which has a file of this name, must stay: an AtomicFolder would
// replace it as a whole. Throws InputError, unless nothing or an empty folder is there.
void check_replaceable(const std::filesystem::path& folder, std::string_view file,
                       std::string_view what);

// Whole small files. read_file throws InputError when the file is missing, unreadable or
// larger than `most_bytes`.
std::string read_file(const std::filesystem::path& path,
                      std::uint64_t most_bytes = std::uint64_t{1} << 30);
void write_file(const std::filesystem::path& path, std::string_view content);

// Copies a file; the copy appears whole.
void copy_whole_file(const std::filesystem::path& from, const std::filesystem::path& to);

// Names, without the extension, of a folder's files with this one (".npy"), in order; none where
// there is no such folder.
std::set<std::string> names_of_files(const std::filesystem::path& folder,
                                     std::string_view extension);

// Creates a folder and its parents, whose names are then on the disk; a Failure names it when it
// cannot be made.
void create_folder(const std::filesystem::path& path);

// A read-only memory map of a whole file. The bytes live as long as the object.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

// Lines of a text file, streamed, plain or gzip (told by content, not by name). "\r\n" counts
// as one line end. A line longer than kLongestLine is an InputError that names the line, and so is
// broken UTF-8 unless any bytes are welcome.
inline constexpr std::size_t kLongestLine = std::size_t{16} << 20U;  // bytes
enum class Encoding { utf8, any };
using UseLine = std::function<void(std::string_view text, std::size_t line)>;
void for_each_line(const std::filesystem::path& path, const UseLine& use,
                   Encoding encoding = Encoding::utf8);
// The same of standard input, each line as soon as it is there, at most `longest` bytes (whole
// MiB). Stops with Interrupted after Ctrl-C.
void for_each_input_line(const UseLine& use, std::size_t longest = kLongestLine);

// True when `text` is well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view text);

// 32 hexadecimal digits that identify a file's content (XXH128: identity, not secrecy).
std::string content_hash(const std::filesystem::path& path);
std::string content_hash(std::string_view bytes);

}  // namespace hinny
