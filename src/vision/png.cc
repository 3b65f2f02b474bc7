// PNG, by libpng.
#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstring>
#include <exception>
#include <new>
#include <optional>

#include "base/request_error.h"
#include "vision/picture_decoder.h"
#include "vision/png_chunks.h"
#include "vision/row_sink.h"

namespace hinny {
namespace {

class PngDecoder : public PictureDecoder {
 public:
  explicit PngDecoder(const ByteSource& file) : file_(file) {
    read_orientation();
    png_ = png_create_read_struct(
        PNG_LIBPNG_VER_STRING, this,
        [](png_structp png, png_const_charp why) {
          static_cast<PngDecoder*>(png_get_error_ptr(png))->fail(why);
        },
        [](png_structp, png_const_charp) {});
    info_ = png_ == nullptr ? nullptr : png_create_info_struct(png_);
    if (info_ == nullptr || !guarded(&PngDecoder::read_header)) {
      png_destroy_read_struct(&png_, &info_, nullptr);
      give_up();
    }
    size = {png_get_image_width(png_, info_), png_get_image_height(png_, info_)};
    stored_type_ = png_get_color_type(png_, info_);
    stored_depth_ = png_get_bit_depth(png_, info_);
  }
  ~PngDecoder() override { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngDecoder(const PngDecoder&) = delete;
  PngDecoder& operator=(const PngDecoder&) = delete;

  // An interlaced file is kept whole; others come by rows.
  std::uint64_t memory(int) const override {
    constexpr std::uint64_t kMostOfOne = 8;  // bytes, of a pixel
    const auto width = static_cast<std::uint64_t>(size.width);
    const bool interlaced = png_get_interlace_type(png_, info_) != PNG_INTERLACE_NONE;
    return 4 * kMostOfOne * width +
           (interlaced ? 4 * width * static_cast<std::uint64_t>(size.height) : 0);
  }

  Picture decode(int shrink) override {
    if (!guarded(&PngDecoder::start)) give_up();
    row_size_ = png_get_rowbytes(png_, info_);
    rows_.assign(row_size_ * (passes_ > 1 ? static_cast<std::size_t>(size.height) : 1), 255);
    const bool alpha = png_get_channels(png_, info_) == 4;
    sink_.emplace(size.width, size.height, alpha ? RowSink::Pixels::rgba : RowSink::Pixels::rgb,
                  shrink, transform());
    if (const auto colour = background()) sink_->set_background(*colour);
    const bool whole = guarded(passes_ > 1 ? &PngDecoder::read_passes : &PngDecoder::read_rows);
    if (broken_) std::rethrow_exception(broken_);
    const double there =
        passes_ > 1 ? static_cast<double>(pass_) / passes_
                    : static_cast<double>(sink_->rows()) / static_cast<double>(size.height);
    if (!whole && there == 0 && !ended_) give_up();
    std::string warning;
    if (!whole) warning = what_is_missing(there);
    if (whole && (!guarded(&PngDecoder::read_end) || ended_)) warning = what_is_missing(1);
    for (std::size_t y = 0; passes_ > 1 && y < static_cast<std::size_t>(size.height); ++y) {
      sink_->put(rows_.data() + y * row_size_);
    }
    Picture picture = sink_->finish();
    picture.warning = warning;
    return picture;
  }

 private:
  // False where libpng gave up within. What `step` calls has no destructors to miss.
  bool guarded(void (PngDecoder::*step)()) {
    if (setjmp(jump_) != 0) return false;
    (this->*step)();
    return true;
  }
  [[noreturn]] void fail(const char* why) {
    std::strncpy(why_.data(), why, why_.size() - 1);
    longjmp(jump_, 1);
  }
  [[noreturn]] void give_up() const {
    if (broken_) std::rethrow_exception(broken_);
    for (const char* said : {"ut of memory", "nsufficient memory"}) {
      if (std::strstr(why_.data(), said) != nullptr) throw std::bad_alloc();
    }
    if (ended_) throw RequestError("damaged: cut off before the picture begins");
    const bool unknown = std::strstr(why_.data(), "unhandled critical chunk") != nullptr;
    throw RequestError(
        fmt::format("{}: this PNG: {}", unknown ? "unsupported" : "damaged", why_.data()));
  }

  void read_header() {
    png_set_read_fn(png_, this, [](png_structp png, png_bytep bytes, std::size_t count) {
      static_cast<PngDecoder*>(png_get_io_ptr(png))->read(bytes, count);
    });
    png_set_crc_action(png_, PNG_CRC_QUIET_USE, PNG_CRC_WARN_DISCARD);
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_benign_errors(png_, 1);
    png_set_option(png_, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    png_read_info(png_, info_);
  }
  // To 8 bits of RGB, or of RGBA.
  void start() {
    png_set_expand(png_);
    png_set_strip_16(png_);
    png_set_gray_to_rgb(png_);
    passes_ = png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
  }
  void read_rows() {
    for (std::int64_t y = 0; y < size.height; ++y) {
      png_read_row(png_, rows_.data(), nullptr);
      sink_->put(rows_.data());
    }
  }
  // Each pass fills the picture, ever finer.
  void read_passes() {
    for (pass_ = 0; pass_ < passes_; ++pass_) {
      for (std::size_t y = 0; y < static_cast<std::size_t>(size.height); ++y) {
        png_read_row(png_, nullptr, rows_.data() + y * row_size_);
      }
    }
  }
  void read_end() { png_read_end(png_, info_); }

  void read(png_bytep bytes, std::size_t count) {
    const std::size_t asked = count;
    while (count > 0) {
      if (next_ == held_) {
        try {
          held_ = file_.read(at_, std::as_writable_bytes(std::span(buffer_)));
        } catch (...) {
          broken_ = std::current_exception();
          held_ = 0;
        }
        at_ += held_;
        next_ = 0;
        ended_ = held_ == 0;
        if (held_ == 0 && (broken_ || count == asked)) png_error(png_, "it is cut off");
        if (held_ == 0) {  // what there is of this part is used
          std::fill_n(bytes, count, png_byte{0});
          return;
        }
      }
      const std::size_t some = std::min(count, held_ - next_);
      std::copy_n(buffer_.data() + next_, some, bytes);
      next_ += some;
      bytes += some;
      count -= some;
    }
  }

  std::shared_ptr<const ColourTransform> transform() const {
    png_charp name = nullptr;
    png_bytep profile = nullptr;
    png_uint_32 length = 0;
    int number = 0;
    if (png_get_iCCP(png_, info_, &name, &number, &profile, &length) != 0) {
      return transform_of(std::as_bytes(std::span(profile, length)), Channels::rgb);
    }
    double gamma = 0;
    if (png_get_sRGB(png_, info_, &number) != 0 || png_get_gAMA(png_, info_, &gamma) == 0 ||
        gamma < 0.1 || gamma > 2) {
      return nullptr;
    }
    constexpr double kSrgb = 0.45455;
    Primaries p{{0.3127, 0.329}, {0.64, 0.33}, {0.3, 0.6}, {0.15, 0.06}};
    png_get_cHRM(png_, info_, &p.white[0], &p.white[1], &p.red[0], &p.red[1], &p.green[0],
                 &p.green[1], &p.blue[0], &p.blue[1]);
    return transform_of(p, std::abs(gamma - kSrgb) < 0.005 ? 0 : 1 / gamma);
  }

  std::optional<std::array<std::uint8_t, 3>> background() const {
    png_color_16p colour = nullptr;
    if (png_get_bKGD(png_, info_, &colour) == 0) return std::nullopt;
    const int type = stored_type_, most = (1 << std::min(stored_depth_, 16)) - 1;
    const auto eight = [&](int value) {
      return static_cast<std::uint8_t>(std::clamp(value * 255 / most, 0, 255));
    };
    if (type == PNG_COLOR_TYPE_PALETTE) {
      return std::array{static_cast<std::uint8_t>(colour->red),
                        static_cast<std::uint8_t>(colour->green),
                        static_cast<std::uint8_t>(colour->blue)};
    }
    if ((type & PNG_COLOR_MASK_COLOR) == 0) {
      return std::array{eight(colour->gray), eight(colour->gray), eight(colour->gray)};
    }
    return std::array{eight(colour->red), eight(colour->green), eight(colour->blue)};
  }

  // Which may stand behind the picture, where libpng sees it too late for the size that is shown.
  void read_orientation() {
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24U;
    const NoteBytes bytes(file_);
    for_each_png_chunk(bytes, [&](std::string_view type, std::uint64_t at, std::uint64_t length) {
      if (type != "eXIf" || length > kMostBytes) return true;
      const std::string exif = bytes.at(at, static_cast<std::size_t>(length));
      orientation = exif_orientation(std::as_bytes(std::span(exif)));
      return false;
    });
  }

  const ByteSource& file_;
  std::uint64_t at_ = 0;
  std::array<png_byte, std::size_t{1} << 16U> buffer_{};
  std::size_t next_ = 0, held_ = 0;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::jmp_buf jump_{};
  std::array<char, 128> why_{};
  std::exception_ptr broken_;  // what reading the file threw
  bool ended_ = false;
  int passes_ = 1, pass_ = 0;
  int stored_type_ = 0, stored_depth_ = 8;
  std::size_t row_size_ = 0;
  std::vector<png_byte> rows_;
  std::optional<RowSink> sink_;
};

}  // namespace

std::unique_ptr<PictureDecoder> open_png(const ByteSource& file) {
  return std::make_unique<PngDecoder>(file);
}

}  // namespace hinny
