// An open file as FFmpeg reads it: the one descriptor, and no other file, address or protocol.
#pragma once

#include <cstdint>

extern "C" {
#include <libavformat/avformat.h>
}

namespace hinny::film {

class FilmFile {
 public:
  // The descriptor must stay open as long.
  explicit FilmFile(int descriptor);
  ~FilmFile();
  FilmFile(const FilmFile&) = delete;
  FilmFile& operator=(const FilmFile&) = delete;

  AVIOContext* context() const { return context_; }

 private:
  static int read(void* self, std::uint8_t* bytes, int most);
  static std::int64_t seek(void* self, std::int64_t offset, int whence);
  int descriptor_;
  std::int64_t size_;
  AVIOContext* context_ = nullptr;
};

}  // namespace hinny::film
