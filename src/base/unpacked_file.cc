#include "base/unpacked_file.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace hinny {
namespace {

constexpr std::size_t kUnpackedAtOnce = std::size_t{1} << 18U;
constexpr int kGzip = 15 + 16;  // window and header, as zlib counts them

}  // namespace

UnpackedFile::UnpackedFile(const std::filesystem::path& path)
    : file_(path), block_(kUnpackedAtOnce) {
  end_ = file_.read(block_.data(), block_.size());
  packed_ = end_ >= 2 && block_[0] == '\x1f' && block_[1] == '\x8b';
  if (packed_ && inflateInit2(&stream_, kGzip) != Z_OK) throw std::bad_alloc();
}

UnpackedFile::~UnpackedFile() {
  if (packed_) inflateEnd(&stream_);
}

bool UnpackedFile::refill() {
  if (next_ < end_) return true;
  next_ = 0;
  end_ = file_.read(block_.data(), block_.size());
  return end_ > 0;
}

std::size_t UnpackedFile::read(char* bytes, std::size_t most) {
  if (packed_) return unpack(bytes, most);
  if (!refill()) return 0;
  const std::size_t count = std::min(most, end_ - next_);
  std::memcpy(bytes, block_.data() + next_, count);
  next_ += count;
  return count;
}

std::size_t UnpackedFile::unpack(char* bytes, std::size_t most) {
  stream_.next_out = reinterpret_cast<Bytef*>(bytes);
  stream_.avail_out = static_cast<uInt>(most);
  while (stream_.avail_out == most && problem_ == nullptr) {
    if (!refill()) {
      if (!between_) problem_ = "gzip data ends early";
      break;
    }
    if (between_ && block_[next_] != '\x1f') break;  // what follows is no part, as gzip has it
    between_ = false;
    stream_.next_in = reinterpret_cast<Bytef*>(block_.data() + next_);
    stream_.avail_in = static_cast<uInt>(end_ - next_);
    const int state = inflate(&stream_, Z_NO_FLUSH);
    next_ = end_ - stream_.avail_in;
    if (state == Z_STREAM_END) {
      between_ = true;
      inflateReset(&stream_);
    } else if (state == Z_MEM_ERROR) {
      throw std::bad_alloc();
    } else if (state != Z_OK && state != Z_BUF_ERROR) {
      problem_ = "damaged gzip data";
    }
  }
  return most - stream_.avail_out;
}

}  // namespace hinny
