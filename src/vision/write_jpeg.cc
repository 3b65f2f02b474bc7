#include "vision/write_jpeg.h"

#include <fmt/format.h>

#include <array>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <new>
// Needs what stands above.
#include <jerror.h>
#include <jpeglib.h>

#include "base/error.h"

namespace hinny {
namespace {

class JpegWriter {
 public:
  JpegWriter() {
    jpeg_.err = jpeg_std_error(&errors_);
    jpeg_.client_data = this;
    errors_.error_exit = [](j_common_ptr jpeg) {
      jpeg->err->format_message(jpeg, of(jpeg).said_.data());
      longjmp(of(jpeg).jump_, 1);
    };
    errors_.emit_message = [](j_common_ptr, int) {};
  }
  ~JpegWriter() {
    jpeg_destroy_compress(&jpeg_);
    std::free(bytes_);
  }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  std::string write(const PixelRows& pixels, const JpegOptions& options) {
    if (setjmp(jump_) != 0) {
      if (errors_.msg_code == JERR_OUT_OF_MEMORY) throw std::bad_alloc();
      throw Failure(fmt::format("cannot write a JPEG: {}", said_.data()));
    }
    write_rows(pixels, options);
    return {reinterpret_cast<const char*>(bytes_), size_};
  }

 private:
  static JpegWriter& of(j_common_ptr jpeg) { return *static_cast<JpegWriter*>(jpeg->client_data); }

  // Nothing here has a destructor for longjmp to miss.
  void write_rows(const PixelRows& pixels, const JpegOptions& options) {
    jpeg_create_compress(&jpeg_);
    jpeg_mem_dest(&jpeg_, &bytes_, &size_);
    jpeg_.image_width = static_cast<JDIMENSION>(pixels.width);
    jpeg_.image_height = static_cast<JDIMENSION>(pixels.height);
    jpeg_.input_components = pixels.channels;
    jpeg_.in_color_space = pixels.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&jpeg_);
    jpeg_set_quality(&jpeg_, options.quality, TRUE);
    if (options.progressive) jpeg_simple_progression(&jpeg_);
    jpeg_start_compress(&jpeg_, TRUE);
    const auto row_size = static_cast<std::size_t>(pixels.width * pixels.channels);
    while (jpeg_.next_scanline < jpeg_.image_height) {
      auto* row = const_cast<std::uint8_t*>(pixels.first + jpeg_.next_scanline * row_size);
      jpeg_write_scanlines(&jpeg_, &row, 1);
    }
    jpeg_finish_compress(&jpeg_);
  }

  jpeg_compress_struct jpeg_{};
  jpeg_error_mgr errors_{};
  std::jmp_buf jump_{};
  std::array<char, JMSG_LENGTH_MAX> said_{};
  unsigned char* bytes_ = nullptr;
  unsigned long size_ = 0;
};

}  // namespace

std::string write_jpeg(const PixelRows& pixels, const JpegOptions& options) {
  JpegWriter writer;
  return writer.write(pixels, options);
}

}  // namespace hinny
