// GIF, by giflib.
#include <fmt/format.h>
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <utility>

#include "base/request_error.h"
#include "vision/animation.h"

namespace hinny {
namespace {

struct CloseGif {
  void operator()(GifFileType* file) const { DGifCloseFile(file, nullptr); }
};

// Where frames lie that are smaller than the picture, or lie beyond it.
struct FrameArea {
  std::int64_t left = 0, top = 0, width = 0, height = 0;
};

class GifAnimation : public Animation {
 public:
  explicit GifAnimation(const ByteSource& source) : source_(source) {
    int error = 0;
    file_.reset(DGifOpen(this, &GifAnimation::read, &error));
    check();
    if (!file_) give_up(error);
    size = {file_->SWidth, file_->SHeight};
    // Some programs leave it to the first frame.
    if (size.width == 0 || size.height == 0) {
      read_description();
      size = {area_.left + area_.width, area_.top + area_.height};
      described_ = !ended_;
    }
  }

  // The picture, what was there before a frame that goes again, and a row.
  std::uint64_t memory() const override {
    constexpr std::uint64_t kLongestRow = 65536;
    return 2 * 4 * static_cast<std::uint64_t>(size.width * size.height) + kLongestRow;
  }

  const std::uint8_t* next() override {
    if (canvas_.empty()) canvas_.assign(4 * pixels(), 0);
    if (!std::exchange(described_, false)) read_description();
    if (ended_) return nullptr;
    at = next_at_;
    next_at_ += seen_for(delay_);
    dispose();
    disposal_ = {control_.DisposalMode, area_};
    if (control_.DisposalMode == DISPOSE_PREVIOUS) before_ = canvas_;
    draw();
    control_ = kNoControl;
    delay_ = 0;
    return canvas_.data();
  }

 private:
  static constexpr GraphicsControlBlock kNoControl{DISPOSAL_UNSPECIFIED, false, 0,
                                                   NO_TRANSPARENT_COLOR};

  static int read(GifFileType* file, GifByteType* bytes, int most) {
    auto& self = *static_cast<GifAnimation*>(file->UserData);
    try {
      const std::size_t count = self.source_.read(
          self.position_, std::as_writable_bytes(std::span(bytes, static_cast<std::size_t>(most))));
      self.position_ += count;
      return static_cast<int>(count);
    } catch (...) {  // through C
      self.broken_ = std::current_exception();
      return 0;
    }
  }
  void check() const {
    if (broken_) std::rethrow_exception(broken_);
  }
  [[noreturn]] static void give_up(int error) {
    if (error == D_GIF_ERR_NOT_ENOUGH_MEM) throw std::bad_alloc();
    const char* why = GifErrorString(error);
    throw RequestError(fmt::format("damaged: this GIF: {}", why == nullptr ? "no picture" : why));
  }

  std::size_t pixels() const { return static_cast<std::size_t>(size.width * size.height); }

  // Up to the next frame's own beginning.
  void read_description() {
    GifRecordType record = UNDEFINED_RECORD_TYPE;
    while (!ended_) {
      ended_ =
          DGifGetRecordType(file_.get(), &record) == GIF_ERROR || record == TERMINATE_RECORD_TYPE;
      if (ended_) break;
      if (record == EXTENSION_RECORD_TYPE) {
        read_extension();
      } else if (record == IMAGE_DESC_RECORD_TYPE) {
        ended_ = DGifGetImageHeader(file_.get()) == GIF_ERROR;
        if (file_->Error == D_GIF_ERR_NOT_ENOUGH_MEM) throw std::bad_alloc();
        const GifImageDesc& is = file_->Image;
        area_ = {is.Left, is.Top, is.Width, is.Height};
        break;
      }
    }
    check();
  }

  void read_extension() {
    int code = 0;
    GifByteType* bytes = nullptr;
    ended_ = DGifGetExtension(file_.get(), &code, &bytes) == GIF_ERROR;
    if (!ended_ && bytes != nullptr && code == GRAPHICS_EXT_FUNC_CODE &&
        DGifExtensionToGCB(bytes[0], bytes + 1, &control_) == GIF_OK) {
      constexpr int kOfAHundredth = 10;
      delay_ = kOfAHundredth * control_.DelayTime;
    }
    while (!ended_ && bytes != nullptr) {
      ended_ = DGifGetExtensionNext(file_.get(), &bytes) == GIF_ERROR;
    }
  }

  // What becomes of the frame that was seen.
  void dispose() {
    const auto& [how, area] = disposal_;
    if (how == DISPOSE_PREVIOUS && !before_.empty()) canvas_ = before_;
    if (how != DISPOSE_BACKGROUND) return;
    for (std::int64_t y = area.top; y < std::min(size.height, area.top + area.height); ++y) {
      const std::int64_t right = std::min(size.width, area.left + area.width);
      if (area.left < right) {
        std::fill_n(pixel(area.left, y), 4 * (right - area.left), std::uint8_t{0});
      }
    }
  }

  std::uint8_t* pixel(std::int64_t x, std::int64_t y) {
    return canvas_.data() + 4 * (y * size.width + x);
  }

  void draw() {
    struct Pass {
      std::int64_t first, step;
    };
    constexpr std::array<Pass, 4> kInterlaced = {{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
    constexpr std::array<Pass, 1> kPlain = {{{0, 1}}};
    const std::span<const Pass> passes =
        file_->Image.Interlace ? std::span<const Pass>(kInterlaced) : std::span<const Pass>(kPlain);
    row_.resize(static_cast<std::size_t>(area_.width));
    std::int64_t rows = 0;
    for (const auto [first, step] : passes) {
      for (std::int64_t y = first; y < area_.height && !ended_; y += step) {
        ended_ = DGifGetLine(file_.get(), row_.data(), static_cast<int>(area_.width)) == GIF_ERROR;
        if (ended_) break;
        draw_row(area_.top + y);
        ++rows;
      }
    }
    check();
    share_there =
        area_.height > 0 ? static_cast<double>(rows) / static_cast<double>(area_.height) : 1;
  }

  void draw_row(std::int64_t y) {
    const ColorMapObject* colours =
        file_->Image.ColorMap != nullptr ? file_->Image.ColorMap : file_->SColorMap;
    const std::int64_t seen = std::min(area_.width, size.width - area_.left);
    if (y >= size.height || seen <= 0 || colours == nullptr) return;
    std::uint8_t* to = pixel(area_.left, y);
    for (std::int64_t x = 0; x < seen; ++x, to += 4) {
      const int index = row_[static_cast<std::size_t>(x)];
      if (index == control_.TransparentColor || index >= colours->ColorCount) continue;
      const GifColorType& colour = colours->Colors[index];
      to[0] = colour.Red;
      to[1] = colour.Green;
      to[2] = colour.Blue;
      to[3] = 255;
    }
  }

  const ByteSource& source_;
  std::uint64_t position_ = 0;
  std::exception_ptr broken_;
  std::unique_ptr<GifFileType, CloseGif> file_;
  std::vector<std::uint8_t> canvas_, before_;
  std::vector<GifPixelType> row_;
  GraphicsControlBlock control_ = kNoControl;  // of the frame that comes
  std::int64_t delay_ = 0, next_at_ = 0;
  FrameArea area_;
  bool described_ = false;  // area_ is that of a frame which is still to be drawn
  bool ended_ = false;
  struct {
    int how = DISPOSAL_UNSPECIFIED;
    FrameArea area;
  } disposal_;
};

}  // namespace

std::unique_ptr<Animation> open_gif(const ByteSource& file) {
  return std::make_unique<GifAnimation>(file);
}

}  // namespace hinny
