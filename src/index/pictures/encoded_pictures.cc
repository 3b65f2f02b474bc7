#include "index/pictures/encoded_pictures.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "base/error.h"
#include "base/file_calls.h"

namespace hinny {
namespace {

bool is_hash(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

// False at the end of the file.
bool read_at(const std::filesystem::path& file, int descriptor, std::size_t offset,
             std::span<std::byte> bytes) {
  const ssize_t count = read_all_at(descriptor, offset, bytes);
  if (count < 0) throw_unreadable(file, "cannot read");
  return count == static_cast<ssize_t>(bytes.size());
}

}  // namespace

EncodedPictures::EncodedPictures(std::filesystem::path file, std::string_view model,
                                 std::size_t dim)
    : file_(std::move(file)),
      header_(fmt::format("hinny pictures 1 {} {}\n", model, dim)),
      dim_(dim) {
  descriptor_ = open_file(file_, O_RDWR | O_CREAT, 0644);
  if (descriptor_ < 0) throw Failure::from_errno("cannot create " + file_.string());
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    ::close(descriptor_);
    throw InputError(file_, "another process writes it", "one at a time for an index");
  }
  take_over();
}

EncodedPictures::~EncodedPictures() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

// A record that is cut off, or that the disk lost, ends what is there.
void EncodedPictures::take_over() {
  std::string header(header_.size(), '\0');
  bool known = read_at(file_, descriptor_, 0, std::as_writable_bytes(std::span(header)));
  known = known && header == header_;
  std::string hash(kHash, '\0');
  std::size_t end = header_.size();
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0)
    throw Failure::from_errno("cannot read " + file_.string());
  const auto bytes = static_cast<std::size_t>(status.st_size);
  while (known && end + record() <= bytes &&
         read_at(file_, descriptor_, end, std::as_writable_bytes(std::span(hash))) &&
         is_hash(hash)) {
    row_of_.emplace(hash, rows_++);
    end += record();
  }
  if (::ftruncate(descriptor_, static_cast<off_t>(known ? end : 0)) != 0 ||
      !write_all_at(descriptor_, 0, header_)) {
    throw Failure::from_errno("cannot write " + file_.string());
  }
}

std::optional<int> EncodedPictures::find(const std::string& content) const {
  const auto found = row_of_.find(content);
  if (found == row_of_.end()) return std::nullopt;
  return found->second;
}

int EncodedPictures::add(const std::string& content, std::span<const float> features) {
  std::string bytes = content;
  bytes.append(reinterpret_cast<const char*>(features.data()), features.size_bytes());
  if (bytes.size() != record()) throw std::invalid_argument("EncodedPictures::add: another size");
  const std::size_t offset = header_.size() + static_cast<std::size_t>(rows_) * record();
  if (!write_all_at(descriptor_, offset, bytes)) {
    throw Failure::from_errno("cannot write " + file_.string());
  }
  row_of_.emplace(content, rows_);
  return rows_++;
}

void EncodedPictures::sync() {
  if (sync_file(descriptor_) != 0) throw Failure::from_errno("cannot sync " + file_.string());
}

void EncodedPictures::gather(std::span<const int> rows, std::span<float> out) const {
  for (const int row : rows) {
    const std::size_t offset = header_.size() + static_cast<std::size_t>(row) * record() + kHash;
    if (!read_at(file_, descriptor_, offset, std::as_writable_bytes(out.first(dim_)))) {
      throw Failure("cannot read " + file_.string());
    }
    out = out.subspan(dim_);
  }
}

void EncodedPictures::remove() {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

}  // namespace hinny
