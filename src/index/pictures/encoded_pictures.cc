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
#include <utility>

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
      header_(fmt::format("hinny pictures 2 {} {}\n", model, dim)),
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

// A record that is cut off, or that the disk lost, ends what is there, and so does a film without
// its last frames.
void EncodedPictures::take_over() {
  std::string header(header_.size(), '\0');
  bool known = read_at(file_, descriptor_, 0, std::as_writable_bytes(std::span(header)));
  known = known && header == header_;
  struct stat status {};
  if (::fstat(descriptor_, &status) != 0)
    throw Failure::from_errno("cannot read " + file_.string());
  const auto bytes = static_cast<std::size_t>(status.st_size);
  std::size_t end = header_.size(), next = end;
  RowHead head{};
  std::vector<Frame> frames;  // of a film that is not whole yet
  for (int row = 0; known && next + record() <= bytes; ++row) {
    if (!read_at(file_, descriptor_, next, std::as_writable_bytes(std::span(&head, 1)))) break;
    const std::string content(head.content, sizeof head.content);
    if (!is_hash(content) || head.at < -1) break;
    next += record();
    if (head.at < 0) {
      row_of_.emplace(content, row);
    } else {
      frames.push_back({head.at, row});
      if (head.follow > 0) continue;
      films_.emplace(content, std::exchange(frames, {}));
    }
    end = next;
    rows_ = row + 1;
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

std::string EncodedPictures::row_bytes(const std::string& content, std::int64_t at,
                                       std::size_t follow, std::span<const float> features) {
  RowHead head{{}, at, static_cast<std::int64_t>(follow)};
  if (content.size() != sizeof head.content) {
    throw std::invalid_argument("EncodedPictures: no hash of a content");
  }
  std::ranges::copy(content, head.content);
  std::string bytes(reinterpret_cast<const char*>(&head), sizeof head);
  bytes.append(reinterpret_cast<const char*>(features.data()), features.size_bytes());
  return bytes;
}

void EncodedPictures::append(const std::string& bytes) {
  const std::size_t offset = header_.size() + static_cast<std::size_t>(rows_) * record();
  if (!write_all_at(descriptor_, offset, bytes)) {
    throw Failure::from_errno("cannot write " + file_.string());
  }
}

int EncodedPictures::add(const std::string& content, std::span<const float> features) {
  if (features.size() != dim_) throw std::invalid_argument("EncodedPictures::add: another size");
  append(row_bytes(content, -1, 0, features));
  row_of_.emplace(content, rows_);
  return rows_++;
}

const std::vector<EncodedPictures::Frame>* EncodedPictures::film(const std::string& content) const {
  const auto found = films_.find(content);
  return found == films_.end() ? nullptr : &found->second;
}

void EncodedPictures::add_film(const std::string& content, std::span<const std::int64_t> at,
                               std::span<const float> features) {
  if (at.empty() || features.size() != at.size() * dim_) {
    throw std::invalid_argument("EncodedPictures::add_film: another size");
  }
  std::string bytes;
  std::vector<Frame> frames;
  for (std::size_t i = 0; i < at.size(); ++i) {
    bytes += row_bytes(content, at[i], at.size() - 1 - i, features.subspan(i * dim_, dim_));
    frames.push_back({at[i], rows_ + static_cast<int>(i)});
  }
  append(bytes);
  rows_ += static_cast<int>(at.size());
  films_.emplace(content, std::move(frames));
}

void EncodedPictures::sync() {
  if (sync_file(descriptor_) != 0) throw Failure::from_errno("cannot sync " + file_.string());
}

void EncodedPictures::gather(std::span<const int> rows, std::span<float> out) const {
  for (const int row : rows) {
    const std::size_t offset =
        header_.size() + static_cast<std::size_t>(row) * record() + sizeof(RowHead);
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
