// Files mapped into memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace hinny {

// A read-only memory map of a whole file. The bytes live as long as the object.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& path);
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return {data_, size_}; }

  // Says that pages will be read here and there: what lies beside one is then not read with it, and
  // does not take memory.
  void expect_random_reads() const;

 private:
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace hinny
