// TIFF and BigTIFF, by libtiff.
#include <fmt/format.h>
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/request_error.h"
#include "vision/picture_decoder.h"
#include "vision/row_sink.h"
#include "vision/tiff_samples.h"

namespace hinny {
namespace {

constexpr std::uint64_t kMostAtOnce = kMostDecodingBytes / 4;  // of what libtiff takes by itself

// A file open in libtiff. What libtiff says of it is kept, not printed.
class OpenTiff {
 public:
  explicit OpenTiff(const ByteSource& file) : file_(file) {
    TIFFOpenOptions* options = TIFFOpenOptionsAlloc();
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, static_cast<tmsize_t>(kMostAtOnce));
    TIFFOpenOptionsSetErrorHandlerExtR(
        options,
        [](TIFF*, void* self, const char*, const char* format, va_list values) {
          static_cast<OpenTiff*>(self)->keep(format, values);
          return 1;
        },
        this);
    TIFFOpenOptionsSetWarningHandlerExtR(
        options, [](TIFF*, void*, const char*, const char*, va_list) { return 1; }, this);
    tiff_ = TIFFClientOpenExt(
        "picture", "rmO", this,
        [](thandle_t self, void* bytes, tmsize_t count) {
          return static_cast<OpenTiff*>(self)->read(bytes, count);
        },
        [](thandle_t, void*, tmsize_t) { return tmsize_t{-1}; },
        [](thandle_t self, toff_t offset, int from) {
          return static_cast<OpenTiff*>(self)->seek(offset, from);
        },
        [](thandle_t) { return 0; },
        [](thandle_t self) { return toff_t{static_cast<OpenTiff*>(self)->file_.size()}; }, nullptr,
        nullptr, options);
    TIFFOpenOptionsFree(options);
    if (tiff_ == nullptr) give_up();
  }
  ~OpenTiff() {
    if (tiff_ != nullptr) TIFFClose(tiff_);
  }
  OpenTiff(const OpenTiff&) = delete;
  OpenTiff& operator=(const OpenTiff&) = delete;

  TIFF* get() const { return tiff_; }
  // From now on what lies beyond the end is read as zeros: of a part that is cut off, what is there
  // is decoded.
  void pad() { padded_ = true; }
  void check_disk() const {
    if (broken_) std::rethrow_exception(broken_);
  }
  [[noreturn]] void give_up() const {
    check_disk();
    throw RequestError(fmt::format("damaged: this TIFF: {}", why_.data()));
  }

 private:
  void keep(const char* format, va_list values) {
    if (why_[0] == '\0') std::vsnprintf(why_.data(), why_.size(), format, values);
  }
  tmsize_t read(void* bytes, tmsize_t count) {
    const std::span<std::byte> into(static_cast<std::byte*>(bytes),
                                    static_cast<std::size_t>(count));
    std::size_t got = 0;
    try {
      got = file_.read(at_, into);
    } catch (...) {
      broken_ = std::current_exception();
      return -1;
    }
    if (padded_) {
      std::ranges::fill(into.subspan(got), std::byte{0});
      got = into.size();
    }
    at_ += got;
    return static_cast<tmsize_t>(got);
  }
  toff_t seek(toff_t offset, int from) {
    if (from == SEEK_CUR) offset += at_;
    if (from == SEEK_END) offset += file_.size();
    return at_ = offset;
  }

  const ByteSource& file_;
  std::uint64_t at_ = 0;
  TIFF* tiff_ = nullptr;
  std::array<char, 200> why_{};
  std::exception_ptr broken_;
  bool padded_ = false;
};

class TiffDecoder : public PictureDecoder {
 public:
  explicit TiffDecoder(const ByteSource& file) : open_(file), tiff_(open_.get()) {
    std::uint32_t width = 0, height = 0;
    std::uint16_t turned = 1;
    TIFFGetField(tiff_, TIFFTAG_IMAGEWIDTH, &width);
    TIFFGetField(tiff_, TIFFTAG_IMAGELENGTH, &height);
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_ORIENTATION, &turned);
    size = {width, height};
    orientation = turned;
    check_compression();
    layout_ = tiff_layout(tiff_);
    there_ = share_there(file.size());
  }

  // Rows, strips or tiles as the file has them; pictures of other colour models whole.
  std::uint64_t memory(int) const override {
    const auto width = static_cast<std::uint64_t>(size.width);
    if (!layout_) return 4 * width * static_cast<std::uint64_t>(size.height) + kMostAtOnce / 4;
    return bytes_at_once() + 40 * width + (std::uint64_t{8} << 20U);
  }

  Picture decode(int shrink) override {
    std::string warning;
    if (there_ < 1) warning = what_is_missing(there_);
    open_.pad();
    if (!layout_) return decode_whole(shrink, warning);
    SampleRows rows(*layout_, static_cast<std::size_t>(size.width));
    if (rows.wants_range()) {
      for_each_row([&](const auto& planes) { rows.widen_range(planes); }, [] {});
    }
    RowSink sink(size.width, size.height, layout_->pixels(), shrink, transform());
    std::int64_t lost = 0;
    for_each_row([&](const auto& planes) { sink.put(rows.eight_bits(planes)); },
                 [&] {
                   ++lost;
                   sink.put(rows.white());
                 });
    open_.check_disk();
    if (lost > 0) {
      if (lost == size.height) open_.give_up();
      const double there = 1 - static_cast<double>(lost) / static_cast<double>(size.height);
      warning = what_is_missing(std::min(there_, there));
      if (there_ == 1) warning = "its data are damaged; what can be read is";
    }
    Picture picture = sink.finish();
    picture.warning = warning;
    return picture;
  }

 private:
  using Planes = std::vector<const std::uint8_t*>;

  void check_compression() const {
    std::uint16_t compression = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_COMPRESSION, &compression);
    if (TIFFIsCODECConfigured(compression) == 0) {
      throw RequestError(fmt::format("unsupported: a TIFF of compression {}", compression));
    }
  }

  bool tiled() const { return TIFFIsTiled(tiff_) != 0; }
  std::uint64_t bytes_at_once() const {
    const auto planes = static_cast<std::uint64_t>(layout_->planes());
    if (tiled()) {
      std::uint32_t width = 1;
      TIFFGetField(tiff_, TIFFTAG_TILEWIDTH, &width);
      const auto across =
          (static_cast<std::uint64_t>(size.width) + width - 1) / std::max(1U, width);
      return saturated(saturated(TIFFTileSize64(tiff_), across), planes) + kMostAtOnce / 4;
    }
    if (planes == 1) return saturated(TIFFScanlineSize64(tiff_), 1);
    return saturated(TIFFStripSize64(tiff_), planes) + kMostAtOnce / 4;
  }
  static std::uint64_t saturated(std::uint64_t bytes, std::uint64_t times) {
    return std::min(bytes, 2 * kMostDecodingBytes) * std::min(times, kMostDecodingBytes);
  }

  // Of the bytes that the first picture is made of.
  double share_there(std::uint64_t file) const {
    const std::uint32_t parts = tiled() ? TIFFNumberOfTiles(tiff_) : TIFFNumberOfStrips(tiff_);
    double all = 0, there = 0;
    for (std::uint32_t i = 0; i < parts; ++i) {
      int failed = 0;
      const std::uint64_t at = TIFFGetStrileOffsetWithErr(tiff_, i, &failed);
      const std::uint64_t bytes = TIFFGetStrileByteCountWithErr(tiff_, i, &failed);
      if (failed != 0) break;
      all += static_cast<double>(bytes);
      if (at < file) there += static_cast<double>(std::min(bytes, file - at));
    }
    return all > 0 ? there / all : 1;
  }

  std::shared_ptr<const ColourTransform> transform() const {
    std::uint32_t length = 0;
    const void* profile = nullptr;
    if (TIFFGetField(tiff_, TIFFTAG_ICCPROFILE, &length, &profile) == 0) return nullptr;
    return transform_of(
        {static_cast<const std::byte*>(profile), length},
        layout_ && layout_->pixels() == RowSink::Pixels::cmyk ? Channels::cmyk : Channels::rgb);
  }

  // Calls use(planes) for each row from the top down, and lost() for those that cannot be decoded.
  template <typename Use, typename Lost>
  void for_each_row(const Use& use, const Lost& lost) {
    const auto planes = static_cast<std::size_t>(layout_->planes());
    if (tiled()) return for_each_row_of_tiles(planes, use, lost);
    const auto height = static_cast<std::uint32_t>(size.height);
    std::uint32_t rows = height;
    TIFFGetFieldDefaulted(tiff_, TIFFTAG_ROWSPERSTRIP, &rows);
    rows = std::clamp(rows, 1U, height);
    const auto line = static_cast<std::size_t>(TIFFScanlineSize64(tiff_));
    std::vector<std::uint8_t> buffer(planes == 1 ? line : planes * line * rows);
    Planes at(planes);
    for (std::uint32_t top = 0; top < height; top += rows) {
      const std::uint32_t end = std::min(height, top + rows);
      bool sound = planes == 1;
      if (!sound) sound = read_strips(top, end - top, line, rows, buffer);
      for (std::uint32_t y = top; y < end; ++y) {
        if (planes == 1) {
          sound = sound && TIFFReadScanline(tiff_, buffer.data(), y, 0) == 1;
          at[0] = buffer.data();
        } else {
          for (std::size_t p = 0; p < planes; ++p) {
            at[p] = buffer.data() + (p * rows + (y - top)) * line;
          }
        }
        sound ? use(at) : lost();
      }
    }
  }

  bool read_strips(std::uint32_t top, std::uint32_t count, std::size_t line, std::uint32_t rows,
                   std::vector<std::uint8_t>& buffer) const {
    bool sound = true;
    for (std::size_t p = 0; p < buffer.size() / (line * rows); ++p) {
      const std::uint32_t strip = TIFFComputeStrip(tiff_, top, static_cast<std::uint16_t>(p));
      const auto bytes = static_cast<tmsize_t>(line * count);
      sound = TIFFReadEncodedStrip(tiff_, strip, buffer.data() + p * rows * line, bytes) == bytes &&
              sound;
    }
    return sound;
  }

  template <typename Use, typename Lost>
  void for_each_row_of_tiles(std::size_t planes, const Use& use, const Lost& lost) {
    std::uint32_t width = 0, height = 0;
    TIFFGetField(tiff_, TIFFTAG_TILEWIDTH, &width);
    TIFFGetField(tiff_, TIFFTAG_TILELENGTH, &height);
    const auto tile = static_cast<std::size_t>(TIFFTileSize64(tiff_));
    const auto line = static_cast<std::size_t>(TIFFTileRowSize64(tiff_));
    if (width == 0 || height == 0 || tile < line * height) open_.give_up();
    const std::size_t across = (static_cast<std::size_t>(size.width) + width - 1) / width;
    std::vector<std::uint8_t> buffer(tile), band(planes * across * line * height);
    Planes at(planes);
    for (std::uint32_t top = 0; top < size.height; top += height) {
      bool sound = true;
      for (std::size_t p = 0; p < planes; ++p) {
        for (std::size_t x = 0; x < across; ++x) {
          const auto left = static_cast<std::uint32_t>(x * width);
          sound =
              TIFFReadTile(tiff_, buffer.data(), left, top, 0, static_cast<std::uint16_t>(p)) > 0 &&
              sound;
          for (std::size_t y = 0; y < height; ++y) {
            std::copy_n(buffer.data() + y * line, line,
                        band.data() + ((p * height + y) * across + x) * line);
          }
        }
      }
      for (std::uint32_t y = 0; y < height && top + y < size.height; ++y) {
        for (std::size_t p = 0; p < planes; ++p) {
          at[p] = band.data() + (p * height + y) * across * line;
        }
        sound ? use(at) : lost();
      }
    }
  }

  // By libtiff's own conversion, which knows more colour models and keeps the whole picture.
  Picture decode_whole(int shrink, const std::string& warning) {
    std::array<char, 1024> why{};
    if (TIFFRGBAImageOK(tiff_, why.data()) == 0) {
      throw RequestError(fmt::format("unsupported: this TIFF: {}", why.data()));
    }
    const auto width = static_cast<std::size_t>(size.width);
    std::vector<std::uint32_t> raster(width * static_cast<std::size_t>(size.height));
    const bool whole =
        TIFFReadRGBAImageOriented(tiff_, static_cast<std::uint32_t>(size.width),
                                  static_cast<std::uint32_t>(size.height), raster.data(),
                                  std::clamp(orientation, 1, 8), 0) != 0;
    open_.check_disk();
    if (!whole && there_ == 1) open_.give_up();
    RowSink sink(size.width, size.height, RowSink::Pixels::rgba, shrink, transform());
    std::vector<std::uint8_t> row(4 * width);
    for (std::size_t y = 0; y < static_cast<std::size_t>(size.height); ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        const std::uint32_t pixel = raster[y * width + x];
        row[4 * x] = static_cast<std::uint8_t>(TIFFGetR(pixel));
        row[4 * x + 1] = static_cast<std::uint8_t>(TIFFGetG(pixel));
        row[4 * x + 2] = static_cast<std::uint8_t>(TIFFGetB(pixel));
        row[4 * x + 3] = static_cast<std::uint8_t>(TIFFGetA(pixel));
      }
      sink.put(row.data());
    }
    Picture picture = sink.finish();
    picture.warning = warning;
    return picture;
  }

  OpenTiff open_;
  TIFF* tiff_;
  std::optional<TiffLayout> layout_;  // none: decode_whole
  double there_ = 1;
};

}  // namespace

std::unique_ptr<PictureDecoder> open_tiff(const ByteSource& file) {
  return std::make_unique<TiffDecoder>(file);
}

}  // namespace hinny
