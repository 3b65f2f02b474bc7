#include "film/film_file.h"

#include <unistd.h>

#include <cerrno>
#include <new>

namespace hinny::film {

FilmFile::FilmFile(int descriptor) : descriptor_(descriptor) {
  constexpr int kBuffer = 1 << 16;
  size_ = ::lseek(descriptor, 0, SEEK_END);
  ::lseek(descriptor, 0, SEEK_SET);
  auto* buffer = static_cast<unsigned char*>(av_malloc(kBuffer));
  context_ = avio_alloc_context(buffer, kBuffer, 0, this, read, nullptr, seek);
  if (buffer == nullptr || context_ == nullptr) throw std::bad_alloc();
}

FilmFile::~FilmFile() {
  av_freep(&context_->buffer);
  avio_context_free(&context_);
}

int FilmFile::read(void* self, std::uint8_t* bytes, int most) {
  const int descriptor = static_cast<FilmFile*>(self)->descriptor_;
  for (;;) {
    const ssize_t count = ::read(descriptor, bytes, static_cast<std::size_t>(most));
    if (count > 0) return static_cast<int>(count);
    if (count == 0) return AVERROR_EOF;
    if (errno != EINTR) return AVERROR(errno);
  }
}

std::int64_t FilmFile::seek(void* self, std::int64_t offset, int whence) {
  const auto* file = static_cast<FilmFile*>(self);
  if ((whence & AVSEEK_SIZE) != 0) return file->size_;
  const std::int64_t there = ::lseek(file->descriptor_, offset, whence & ~AVSEEK_FORCE);
  return there < 0 ? AVERROR(errno) : there;
}

}  // namespace hinny::film
