// What an index calls its images: docs/formats/index.md, names.safetensors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksums.h"

namespace hinny {

constexpr const char* kNamesFile = "names.safetensors";

class NameFile;  // an open one, for whoever reads of it

// Names, one for each image. They may be tens of millions: one takes eight bytes more than it has,
// and in a file no memory before it is asked for. Safe to read from several threads.
class NameList {
 public:
  NameList() = default;
  explicit NameList(const std::vector<std::string>& names);

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  // As long as the list stays as it is. `image` < size(). Throws InputError where the file is
  // damaged.
  std::string_view operator[](std::size_t image) const;
  std::vector<std::string> strings() const;
  bool operator==(const NameList& other) const;

  void push_back(std::string_view name);  // which is then in memory

 private:
  friend class NameFile;
  std::vector<char> bytes_;
  std::vector<std::uint64_t> ends_;
  std::shared_ptr<const NameFile> file_;  // where these lie, in place of the two above
  std::span<const std::byte> file_bytes_, file_ends_;
};

// The positions of names, sorted by them, and of equal ones by position.
class NameOrder {
 public:
  // Throws InputError for 2^32 names or more.
  explicit NameOrder(const NameList& names);

  // The first of that name among `names`, of which this is the order. Throws InputError where the
  // file is damaged.
  std::optional<std::size_t> find(const NameList& names, std::string_view name) const;
  std::span<const std::byte> bytes() const { return bytes_; }  // of numbers of 32 bits

 private:
  friend class NameFile;
  NameOrder(std::shared_ptr<const NameFile> file, std::span<const std::byte> bytes)
      : file_(std::move(file)), bytes_(bytes) {}
  std::size_t at(std::size_t place, std::size_t names) const;
  std::shared_ptr<const std::vector<std::uint32_t>> sorted_;  // or
  std::shared_ptr<const NameFile> file_;
  std::span<const std::byte> bytes_;
};

struct NameTable {
  NameList images, files, digests;  // IndexContents
  NameOrder order;                  // of images
};
void write_names(const std::filesystem::path& folder, const NameList& images, const NameList& files,
                 const NameList& digests);
// `checksums` may be null. Reads none of the names. Throws InputError for lists that do not fit
// each other.
NameTable read_names(const std::filesystem::path& folder,
                     const std::shared_ptr<const Checksums>& checksums);

}  // namespace hinny
