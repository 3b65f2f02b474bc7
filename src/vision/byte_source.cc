#include "vision/byte_source.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace hinny {

std::vector<std::byte> ByteSource::head(std::size_t most) const {
  std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(size(), most)));
  bytes.resize(read(0, bytes));
  return bytes;
}

std::size_t HeldBytes::read(std::uint64_t at, std::span<std::byte> into) const {
  if (at >= bytes_.size()) return 0;
  const auto rest = bytes_.subspan(static_cast<std::size_t>(at));
  const std::size_t count = std::min(rest.size(), into.size());
  std::copy_n(rest.begin(), count, into.begin());
  return count;
}

std::size_t FileBytes::read(std::uint64_t at, std::span<std::byte> into) const {
  if (at >= file_.size()) return 0;
  const ssize_t count = read_all_at(file_.descriptor(), at, into);
  if (count < 0) throw_unreadable(file_.path(), "cannot read");
  return static_cast<std::size_t>(count);
}

CannotRead::CannotRead(int why)
    : Failure(std::string("cannot read a picture: ") + std::strerror(why)), why_(why) {}

DescriptorBytes::DescriptorBytes(int descriptor) : descriptor_(descriptor) {
  const off_t end = ::lseek(descriptor, 0, SEEK_END);
  if (end < 0) throw CannotRead(errno);
  size_ = static_cast<std::uint64_t>(end);
}

std::size_t DescriptorBytes::read(std::uint64_t at, std::span<std::byte> into) const {
  if (at >= size_) return 0;
  const ssize_t count = read_all_at(descriptor_, at, into);
  if (count < 0) throw CannotRead(errno);
  return static_cast<std::size_t>(count);
}

}  // namespace hinny
