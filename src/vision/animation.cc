#include "vision/animation.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "base/choose_frames.h"
#include "base/request_error.h"
#include "vision/row_sink.h"

namespace hinny {
namespace {

class FrameDecoder : public PictureDecoder {
 public:
  FrameDecoder(std::unique_ptr<Animation> animation, std::int64_t at)
      : animation_(std::move(animation)), at_(at) {
    size = animation_->size;
  }

  std::uint64_t memory(int shrink) const override {
    return animation_->memory() + RowSink::bytes(size.width, size.height, shrink);
  }

  Picture decode(int shrink) override {
    const std::uint8_t* frame = nullptr;
    do {
      const std::uint8_t* next = animation_->next();
      if (next == nullptr) break;
      frame = next;
    } while (animation_->at < at_);
    if (frame == nullptr) throw RequestError("damaged: no frame in it that can be decoded");
    std::string warning;
    if (animation_->share_there < 1) warning = what_is_missing(animation_->share_there);
    RowSink sink(size.width, size.height, RowSink::Pixels::rgba, shrink, animation_->transform);
    const auto stride = 4 * static_cast<std::size_t>(size.width);
    for (std::int64_t y = 0; y < size.height; ++y, frame += stride) sink.put(frame);
    Picture picture = sink.finish();
    picture.warning = std::move(warning);
    return picture;
  }

 private:
  std::unique_ptr<Animation> animation_;
  std::int64_t at_;
};

// The mean of some pixels of each of its fields, on white.
Glance glance(const std::uint8_t* frame, const PictureSize& size) {
  constexpr std::int64_t kFields = kGlance, kMost = 8;  // pixels of a field, along a side
  Glance seen{};
  for (std::int64_t row = 0; row < kFields; ++row) {
    for (std::int64_t column = 0; column < kFields; ++column) {
      unsigned sums[3] = {}, count = 0;
      for (std::int64_t i = 0; i < kMost * kMost; ++i) {
        const std::int64_t y = (row * kMost + i / kMost) * size.height / (kFields * kMost);
        const std::int64_t x = (column * kMost + i % kMost) * size.width / (kFields * kMost);
        const std::uint8_t* pixel = frame + 4 * (y * size.width + x);
        for (int c = 0; c < 3; ++c) sums[c] += (pixel[c] * pixel[3] + 255 * (255 - pixel[3])) / 255;
        ++count;
      }
      for (int c = 0; c < 3; ++c) {
        seen[static_cast<std::size_t>(3 * (row * kFields + column) + c)] =
            static_cast<std::uint8_t>(sums[c] / count);
      }
    }
  }
  return seen;
}

}  // namespace

std::unique_ptr<Animation> open_animation(const ByteSource& file) {
  switch (picture_format(file.head(64))) {
    case PictureFormat::gif:
      return open_gif(file);
    case PictureFormat::webp:
      return open_moving_webp(file);
    default:
      return nullptr;
  }
}

std::unique_ptr<PictureDecoder> open_frame(std::unique_ptr<Animation> animation, std::int64_t at) {
  return std::make_unique<FrameDecoder>(std::move(animation), at);
}

std::vector<std::int64_t> scenes_of(Animation& animation, std::size_t most) {
  constexpr std::clock_t kMostTime = 40 * CLOCKS_PER_SEC;
  constexpr std::size_t kMostFrames = 20'000;
  const std::clock_t end = std::clock() + kMostTime;
  std::vector<Glance> glances;
  std::vector<std::int64_t> moments, chosen;
  while (glances.size() < kMostFrames && std::clock() < end) {
    const std::uint8_t* frame = animation.next();
    // Of one that is cut off no more than the beginning may be there.
    if (frame == nullptr || (animation.share_there < 1 && !glances.empty())) break;
    glances.push_back(glance(frame, animation.size));
    moments.push_back(animation.at);
  }
  for (const std::size_t i : choose_frames(glances, most)) chosen.push_back(moments[i]);
  return chosen;
}

}  // namespace hinny
