// WebP, by libwebp.
#include <fmt/format.h>
#include <webp/decode.h>
#include <webp/demux.h>

#include <algorithm>
#include <limits>
#include <new>

#include "base/request_error.h"
#include "vision/bounded_bytes.h"
#include "vision/picture_decoder.h"
#include "vision/row_sink.h"

namespace hinny {
namespace {

struct Release {
  void operator()(WebPDemuxer* file) const { WebPDemuxDelete(file); }
  void operator()(WebPIDecoder* decoder) const { WebPIDelete(decoder); }
};

// What the buffers of a decoder hold.
struct Decoding {
  WebPDecoderConfig config{};
  std::unique_ptr<WebPIDecoder, Release> decoder;

  Decoding() { WebPInitDecoderConfig(&config); }
  ~Decoding() {
    decoder.reset();
    WebPFreeDecBuffer(&config.output);
  }
  Decoding(const Decoding&) = delete;
  Decoding& operator=(const Decoding&) = delete;
};

class WebpDecoder : public PictureDecoder {
 public:
  explicit WebpDecoder(const ByteSource& file) : bytes_(whole_file(file)) {
    open();
    if (!complete_) set_stated_length();
    if (demuxer_ == nullptr || frame_.fragment.bytes == nullptr) {
      throw RequestError("damaged: this WebP: cut off before the picture begins");
    }
    size = {WebPDemuxGetI(demuxer_.get(), WEBP_FF_CANVAS_WIDTH),
            WebPDemuxGetI(demuxer_.get(), WEBP_FF_CANVAS_HEIGHT)};
    if (WebPGetFeatures(frame_.fragment.bytes, frame_.fragment.size, &features_) != VP8_STATUS_OK) {
      throw RequestError("damaged: this WebP: its first frame has no header");
    }
    if (features_.width > size.width || features_.height > size.height) {
      throw RequestError("damaged: this WebP: its first frame is larger than the picture");
    }
    orientation = exif_orientation(chunk("EXIF"));
  }
  ~WebpDecoder() override { WebPDemuxReleaseIterator(&frame_); }
  WebpDecoder(const WebpDecoder&) = delete;
  WebpDecoder& operator=(const WebpDecoder&) = delete;

  // A lossless one is kept whole, and so is its transparency; a lossy one is shrunk row by row.
  std::uint64_t memory(int shrink) const override {
    constexpr int kLossless = 2;
    const auto pixels = static_cast<std::uint64_t>(size.width * size.height);
    const std::uint64_t whole = features_.format == kLossless ? 4
                                : features_.has_alpha != 0    ? 2
                                                              : 0;
    const auto scale = static_cast<std::uint64_t>(shrink);
    return bytes_.size() + whole * pixels + 4 * pixels / (scale * scale) +
           64 * static_cast<std::uint64_t>(size.width);
  }

  Picture decode(int shrink) override {
    const bool alpha =
        features_.has_alpha != 0 || features_.width < size.width || features_.height < size.height;
    const auto part = [shrink](std::int64_t length) {
      return static_cast<int>((length + shrink - 1) / shrink);
    };
    Decoding decoding;
    decoding.config.output.colorspace = alpha ? MODE_RGBA : MODE_RGB;
    decoding.config.options.use_scaling = shrink > 1 ? 1 : 0;
    decoding.config.options.scaled_width = part(features_.width);
    decoding.config.options.scaled_height = part(features_.height);
    decoding.decoder.reset(WebPIDecode(nullptr, 0, &decoding.config));
    if (decoding.decoder == nullptr) throw std::bad_alloc();
    const auto status =
        WebPIUpdate(decoding.decoder.get(), frame_.fragment.bytes, frame_.fragment.size);
    if (status == VP8_STATUS_OUT_OF_MEMORY) throw std::bad_alloc();
    int rows = 0, width = 0, height = 0, stride = 0;
    const std::uint8_t* row =
        WebPIDecGetRGB(decoding.decoder.get(), &rows, &width, &height, &stride);
    if (row == nullptr) rows = 0;
    RowSink sink(part(size.width), part(size.height),
                 alpha ? RowSink::Pixels::rgba : RowSink::Pixels::rgb, 1,
                 transform_of(chunk("ICCP"), Channels::rgb));
    fill(sink, row, rows, stride, shrink, alpha);
    Picture picture = sink.finish();
    if (status != VP8_STATUS_OK) {
      picture.warning = what_is_missing(static_cast<double>(rows) / part(features_.height));
    } else if (!complete_) {
      picture.warning = what_is_missing(1);
    }
    return picture;
  }

 private:
  void open() {
    WebPDemuxReleaseIterator(&frame_);
    frame_ = {};
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size()};
    WebPDemuxState state = WEBP_DEMUX_PARSE_ERROR;
    demuxer_.reset(WebPDemuxPartial(&data, &state));
    complete_ = state == WEBP_DEMUX_DONE;
    if (demuxer_ != nullptr) WebPDemuxGetFrame(demuxer_.get(), 1, &frame_);
  }
  // A file that states another length than it has is read as long as it is.
  void set_stated_length() {
    constexpr std::size_t kHead = 8;
    if (bytes_.size() < kHead) return;
    const std::size_t length = (bytes_.size() - kHead) & ~std::size_t{1};
    if (BoundedBytes(bytes_).little32(4) >= length) return;
    for (std::size_t i = 0; i < 4; ++i) bytes_[4 + i] = std::byte(length >> (8 * i) & 0xFFU);
    open();
  }

  // The frame may be less than the picture.
  void fill(RowSink& sink, const std::uint8_t* row, int rows, int stride, int shrink,
            bool alpha) const {
    const std::size_t pixel = alpha ? 4 : 3;
    const auto left = static_cast<std::size_t>(frame_.x_offset / shrink);
    const int top = frame_.y_offset / shrink;
    const auto width = static_cast<std::size_t>((size.width + shrink - 1) / shrink);
    const auto inside = static_cast<std::size_t>((features_.width + shrink - 1) / shrink);
    std::vector<std::uint8_t> line(pixel * width);  // transparent
    for (int y = 0; y < top; ++y) sink.put(line.data());
    for (int y = 0; y < rows; ++y, row += stride) {
      std::copy_n(row, pixel * std::min(inside, width - left),
                  line.begin() + static_cast<std::ptrdiff_t>(pixel * left));
      sink.put(line.data());
    }
  }

  std::span<const std::byte> chunk(const char* name) const {
    WebPChunkIterator found{};
    if (WebPDemuxGetChunk(demuxer_.get(), name, 1, &found) == 0) return {};
    const std::span<const std::uint8_t> bytes(found.chunk.bytes, found.chunk.size);
    WebPDemuxReleaseChunkIterator(&found);  // its bytes are the file's
    return std::as_bytes(bytes);
  }

  std::vector<std::byte> bytes_;
  std::unique_ptr<WebPDemuxer, Release> demuxer_;
  WebPIterator frame_{};
  WebPBitstreamFeatures features_{};
  bool complete_ = false;
};

}  // namespace

std::unique_ptr<PictureDecoder> open_webp(const ByteSource& file) {
  return std::make_unique<WebpDecoder>(file);
}

}  // namespace hinny
