// Files that are whole or absent: written beside their place, synced, then renamed into it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
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

// A whole small file.
void write_file(const std::filesystem::path& path, std::string_view content);

// Copies a file; the copy appears whole.
void copy_whole_file(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace hinny
