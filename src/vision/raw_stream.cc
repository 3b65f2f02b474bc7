#include "vision/raw_stream.h"

#include <algorithm>
#include <cstdio>
#include <limits>

namespace hinny {

std::size_t RawStream::read_at(std::uint64_t at, std::span<std::byte> into) {
  try {
    return broken_ ? 0 : file_.read(at, into);
  } catch (...) {
    broken_ = std::current_exception();
    return 0;
  }
}

bool RawStream::fill() {
  begin_ = at_;
  filled_ = read_at(at_, buffer_);
  return filled_ > 0;
}

int RawStream::past_end() {
  ran_out_ = true;
  ++at_;
  return 0;
}

int RawStream::read(void* into, size_t size, size_t count) {
  if (size == 0 || count > std::numeric_limits<int>::max() / size) return 0;
  std::span<std::byte> all(static_cast<std::byte*>(into), size * count);
  std::size_t got = 0;
  if (at_ - begin_ < filled_) {
    const auto skip = static_cast<std::size_t>(at_ - begin_);
    got = std::min(all.size(), filled_ - skip);
    std::copy_n(buffer_.begin() + static_cast<std::ptrdiff_t>(skip), got, all.begin());
  }
  at_ += got;
  if (got < all.size() && all.size() < buffer_.size() && fill()) {  // many small ones, of one read
    const std::size_t more = std::min(all.size() - got, filled_);
    std::copy_n(buffer_.begin(), more, all.begin() + static_cast<std::ptrdiff_t>(got));
    got += more;
    at_ += more;
  } else if (got < all.size()) {
    const std::size_t more = read_at(at_, all.subspan(got));
    got += more;
    at_ += more;
  }
  if (padded_ && got < all.size()) {
    ran_out_ = true;
    std::ranges::fill(all.subspan(got), std::byte{0});
    at_ += all.size() - got;
    got = all.size();
  }
  constexpr bool kBefore21 = LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0);
  if (kBefore21 && (got == 2 || got == 4)) watch(all.first(got));
  return static_cast<int>((got + size - 1) / size);
}

// A pattern of 36 colours of a mosaic that was not said to be of 6 x 6 is written by LibRaw 0.20,
// as compilers read it, over all that lies behind it (mended in 0.21). Directories are read as
// numbers of 16, 16 and 32 bits: tag, type and count.
void RawStream::watch(std::span<const std::byte> number) {
  std::uint32_t value = 0;
  for (const std::byte byte : number) value = value << 8U | std::to_integer<std::uint32_t>(byte);
  if (number.size() == 2) {
    shorts_ = {shorts_[1], value};
    return;
  }
  const bool pattern = shorts_[0] == 0x828E || shorts_[0] == 0x8E82;
  const bool kodak = shorts_[0] == 0xFD09 || shorts_[0] == 0x09FD;
  shorts_ = {};
  constexpr std::uint32_t kColours = 36, kSixBySix = 9;
  if (value != kColours && value != kColours << 24U) return;
  if (kodak || (pattern && filters_ != kSixBySix)) throw LIBRAW_EXCEPTION_IO_CORRUPT;
}

int RawStream::seek(INT64 offset, int from) {
  if (from == SEEK_CUR) offset += static_cast<INT64>(at_);
  if (from == SEEK_END) offset += size();
  const INT64 most = padded_ ? std::numeric_limits<INT64>::max() / 2 : size();
  at_ = static_cast<std::uint64_t>(std::clamp<INT64>(offset, 0, most));
  return 0;
}

char* RawStream::gets(char* into, int size) {
  int length = 0;
  while (length + 1 < size && eof() == 0) {
    const int next = get_char();
    if (next < 0) break;
    into[length++] = static_cast<char>(next);
    if (next == '\n') break;
  }
  if (size < 1 || length == 0) return nullptr;
  into[length] = '\0';
  return into;
}

}  // namespace hinny
