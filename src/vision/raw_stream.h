// A picture file as LibRaw reads one. Internal to this level.
#pragma once

#include <libraw/libraw.h>

#include <array>
#include <cstdint>
#include <exception>

#include "vision/byte_source.h"

namespace hinny {

class RawStream final : public LibRaw_abstract_datastream {
 public:
  // The source must outlive it, and so must the file's `filters` in LibRaw.
  RawStream(const ByteSource& file, const unsigned& filters) : file_(file), filters_(filters) {}

  // From now on what lies beyond the end is read as zeros: in 0.20, the end of a file inside of a
  // loop of OpenMP ends the process.
  void pad() { padded_ = true; }
  // Whether something beyond the end was read since.
  bool ran_out() const { return ran_out_; }
  // Throws what reading the file threw.
  void check_disk() const {
    if (broken_) std::rethrow_exception(broken_);
  }

  int valid() override { return 1; }
  int read(void* into, size_t size, size_t count) override;
  int seek(INT64 offset, int from) override;
  INT64 tell() override { return static_cast<INT64>(at_); }
  INT64 size() override { return static_cast<INT64>(file_.size()); }
  int get_char() override {
    if (at_ - begin_ >= filled_ && !fill()) return padded_ ? past_end() : -1;
    return std::to_integer<int>(buffer_[at_++ - begin_]);
  }
  char* gets(char* into, int size) override;
  int scanf_one(const char*, void*) override { return 0; }  // nothing in LibRaw calls it
  int eof() override { return !padded_ && at_ >= file_.size() ? 1 : 0; }
#if LIBRAW_VERSION < LIBRAW_MAKE_VERSION(0, 21, 0)
  void* make_jas_stream() override { return nullptr; }
#endif

 private:
  bool fill();
  int past_end();
  void watch(std::span<const std::byte> number);
  std::size_t read_at(std::uint64_t at, std::span<std::byte> into);

  const ByteSource& file_;
  const unsigned& filters_;
  std::array<std::uint32_t, 2> shorts_{};  // the last two numbers of 16 bits
  std::uint64_t at_ = 0;
  std::uint64_t begin_ = 0;  // of what the buffer holds
  std::size_t filled_ = 0;
  std::array<std::byte, std::size_t{1} << 16U> buffer_{};
  bool padded_ = false, ran_out_ = false;
  std::exception_ptr broken_;
};

}  // namespace hinny
