// What each file of a folder held when it was written, block by block, so that a bit that changed
// since is noticed: docs/formats/index.md.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/safetensors.h"

namespace hinny {

constexpr const char* kChecksumsFile = "checksums.safetensors";
constexpr std::size_t kChecksumBlock = std::size_t{1} << 14U;  // bytes

// Writes kChecksumsFile into `folder`: the sizes and hashes of all files in it and below. A folder
// below that has a kChecksumsFile answers for itself. What is one file with that of the same name
// in the folder `before` (a hard link) keeps the hashes that it has there, where it has any.
void write_checksums(const std::filesystem::path& folder, const std::filesystem::path& before = {});

// A mapped file whose blocks are compared with what was written when they are first asked for.
// Safe to share between threads. The bytes must outlive it.
class CheckedFile {
 public:
  // `sums`: of each block its hash.
  CheckedFile(std::filesystem::path path, std::span<const std::byte> bytes,
              std::span<const std::byte> sums);

  // `part` lies in the bytes. Throws InputError that names the file and where it changed.
  void check(std::span<const std::byte> part) const;
  // The same of the whole file, by several threads where that is much to read.
  void check_all() const;

 private:
  void check_block(std::size_t block) const;
  std::filesystem::path path_;
  std::span<const std::byte> bytes_, sums_;
  mutable std::vector<std::atomic<bool>> right_;  // of each block
  mutable std::atomic<bool> all_right_ = false;
};

// Compares one file with what was written, where the folder has checksums at all.
void check_if_listed(const std::filesystem::path& folder, const std::string& file);

struct ChecksumReport {
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  std::vector<std::string> problems;  // a sentence each
};

// Compares everything that was written into the folder with what is there: files that changed, are
// missing, or that nobody wrote. Folders below that answer for themselves too. Shows progress.
void verify_checksums(const std::filesystem::path& folder, ChecksumReport& report);

// What a folder's kChecksumsFile says. Safe to share between threads.
class Checksums {
 public:
  // Throws InputError where there is none, or a damaged one.
  explicit Checksums(const std::filesystem::path& folder);

  // Throws InputError where the file, a path inside the folder, is not what was written. Each is
  // read once.
  void check(const std::string& file) const;
  // The same of all files below a folder inside, as far as they are listed.
  void check_below(const std::string& folder) const;
  // For a file that is mapped: `bytes` are all of it. Another size is an InputError.
  // The table must outlive what is returned.
  std::shared_ptr<const CheckedFile> checked(const std::string& file,
                                             std::span<const std::byte> bytes) const;

 private:
  friend void write_checksums(const std::filesystem::path& folder,
                              const std::filesystem::path& before);
  friend void verify_checksums(const std::filesystem::path& folder, ChecksumReport& report);
  void verify(ChecksumReport& report) const;
  void add_strangers(ChecksumReport& report) const;
  std::vector<std::uint64_t> row(const std::string& file) const;  // none where it is not listed
  std::string problem_of(const std::string& file) const;
  std::filesystem::path folder_;
  SafetensorsFile table_;
  mutable std::mutex lock_;
  mutable std::set<std::string> right_;
};

}  // namespace hinny
