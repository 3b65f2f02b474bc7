// WebP of several frames, by libwebpdemux.
#include <webp/demux.h>

#include "base/request_error.h"
#include "vision/animation.h"

namespace hinny {
namespace {

struct EndFrames {
  void operator()(WebPAnimDecoder* decoder) const { WebPAnimDecoderDelete(decoder); }
};

class WebpAnimation : public Animation {
 public:
  explicit WebpAnimation(const ByteSource& file) : bytes_(whole_file(file)) {
    WebPAnimDecoderOptionsInit(&options_);
    options_.color_mode = MODE_RGBA;
    const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size()};
    const std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)> demuxer(WebPDemux(&data),
                                                                           &WebPDemuxDelete);
    if (!demuxer) throw RequestError("damaged: this WebP: cut off, or no animation");
    size = {WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_WIDTH),
            WebPDemuxGetI(demuxer.get(), WEBP_FF_CANVAS_HEIGHT)};
    set_transform(*demuxer);
  }

  // Its bytes, and the picture as it was and is.
  std::uint64_t memory() const override {
    return bytes_.size() + 3 * 4 * static_cast<std::uint64_t>(size.width * size.height);
  }

  const std::uint8_t* next() override {
    if (!decoder_) {  // which takes its memory
      const WebPData data{reinterpret_cast<const std::uint8_t*>(bytes_.data()), bytes_.size()};
      decoder_.reset(WebPAnimDecoderNew(&data, &options_));
      if (!decoder_) throw RequestError("damaged: this WebP: cut off, or no animation");
    }
    std::uint8_t* frame = nullptr;
    int ends = 0;
    if (WebPAnimDecoderGetNext(decoder_.get(), &frame, &ends) == 0) return nullptr;
    at = next_at_;
    next_at_ += seen_for(ends - last_end_);
    last_end_ = ends;
    return frame;
  }

 private:
  void set_transform(const WebPDemuxer& demuxer) {
    WebPChunkIterator found{};
    if (WebPDemuxGetChunk(&demuxer, "ICCP", 1, &found) == 0) return;
    transform =
        transform_of(std::as_bytes(std::span(found.chunk.bytes, found.chunk.size)), Channels::rgb);
    WebPDemuxReleaseChunkIterator(&found);
  }

  std::vector<std::byte> bytes_;
  WebPAnimDecoderOptions options_{};
  std::unique_ptr<WebPAnimDecoder, EndFrames> decoder_;
  std::int64_t next_at_ = 0;
  int last_end_ = 0;
};

}  // namespace

std::unique_ptr<Animation> open_moving_webp(const ByteSource& file) {
  return std::make_unique<WebpAnimation>(file);
}

}  // namespace hinny
