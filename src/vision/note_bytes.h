// Bytes of a file, or of a part of one, read on demand.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "vision/byte_source.h"

namespace hinny {

class NoteBytes {
 public:
  // Of an open file, which must outlive it; or of bytes in memory, likewise.
  using Read = std::function<std::string(std::uint64_t at, std::size_t count)>;
  explicit NoteBytes(Read read) : read_(std::move(read)) {}
  explicit NoteBytes(const ByteSource& source)
      : NoteBytes([&source](std::uint64_t at, std::size_t count) {
          if (at >= source.size()) return std::string();
          std::string bytes(
              static_cast<std::size_t>(std::min<std::uint64_t>(count, source.size() - at)), '\0');
          bytes.resize(source.read(at, std::as_writable_bytes(std::span(bytes))));
          return bytes;
        }) {}
  explicit NoteBytes(std::string_view bytes)
      : NoteBytes([bytes](std::uint64_t at, std::size_t count) {
          return at < bytes.size() ? std::string(bytes.substr(at, count)) : std::string();
        }) {}

  // Fewer than asked for at the end alone.
  std::string at(std::uint64_t at, std::size_t count) const { return read_(at, count); }
  // A number of so many bytes, 8 at most; 0 beyond the end.
  std::uint64_t number(std::uint64_t at, std::size_t bytes, bool big) const {
    return number_in(read_(at, bytes), bytes, big);
  }
  static std::uint64_t number_in(std::string_view bytes, std::size_t count, bool big) {
    if (bytes.size() < count) return 0;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      value = value << 8U | static_cast<unsigned char>(bytes[big ? i : count - 1 - i]);
    }
    return value;
  }

 private:
  Read read_;
};

}  // namespace hinny
