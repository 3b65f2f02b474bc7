#include "base/mapped_file.h"

#include <sys/mman.h>

#include <utility>

#include "base/error.h"
#include "base/file_calls.h"

namespace hinny {
namespace fs = std::filesystem;

MappedFile::MappedFile(const fs::path& path) {
  const OpenFile file(path);
  size_ = file.size();
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
  if (address == MAP_FAILED) throw Failure::from_errno("cannot map " + path.string());
  data_ = static_cast<const std::byte*>(address);
}

void MappedFile::expect_random_reads() const {
  if (data_ != nullptr) ::madvise(const_cast<std::byte*>(data_), size_, MADV_RANDOM);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace hinny
