// The bytes of a picture file: in memory, or read from the disk as they are needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/file_calls.h"

namespace hinny {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  // How many bytes were read, fewer than asked for at the end alone. Throws Failure or InputError
  // where the disk does not give them.
  virtual std::size_t read(std::uint64_t at, std::span<std::byte> into) const = 0;

  // The first bytes, at most so many.
  std::vector<std::byte> head(std::size_t most) const;
};

// The bytes must outlive it.
class HeldBytes : public ByteSource {
 public:
  explicit HeldBytes(std::span<const std::byte> bytes) : bytes_(bytes) {}
  std::uint64_t size() const override { return bytes_.size(); }
  std::size_t read(std::uint64_t at, std::span<std::byte> into) const override;

 private:
  std::span<const std::byte> bytes_;
};

class FileBytes : public ByteSource {
 public:
  explicit FileBytes(const std::filesystem::path& file) : file_(file) {}
  std::uint64_t size() const override { return file_.size(); }
  std::size_t read(std::uint64_t at, std::span<std::byte> into) const override;
  const OpenFile& file() const { return file_; }

 private:
  OpenFile file_;
};

// Of a descriptor whose file has a name elsewhere.
class CannotRead : public Failure {
 public:
  explicit CannotRead(int why);
  int why() const { return why_; }  // as errno says it

 private:
  int why_;
};

// An open descriptor, which must stay open as long. Throws CannotRead.
class DescriptorBytes : public ByteSource {
 public:
  explicit DescriptorBytes(int descriptor);
  std::uint64_t size() const override { return size_; }
  std::size_t read(std::uint64_t at, std::span<std::byte> into) const override;

 private:
  int descriptor_;
  std::uint64_t size_;
};

}  // namespace hinny
