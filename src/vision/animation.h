// Pictures that move, and those of their formats that do not: GIF, and WebP of several frames.
// Internal to this level.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vision/byte_source.h"
#include "vision/colour_profile.h"
#include "vision/picture_decoder.h"

namespace hinny {

// One file; its header is read. Throws RequestError throughout.
class Animation {
 public:
  virtual ~Animation() = default;

  PictureSize size;
  std::shared_ptr<const ColourTransform> transform{};  // to sRGB; or null

  // Bytes that next() holds at most.
  virtual std::uint64_t memory() const = 0;
  // The next frame as it is seen, over those before it: RGBA, [height, width, 4], until the next
  // call. Null behind the last one, and where what follows cannot be decoded.
  virtual const std::uint8_t* next() = 0;

  // Of the frame that next() gave: when it comes, in milliseconds from the beginning, and how much
  // of it the file holds.
  std::int64_t at = 0;
  double share_there = 1;

 protected:
  // Of a frame that says how long it is seen, as browsers take it.
  static std::int64_t seen_for(std::int64_t milliseconds) {
    constexpr std::int64_t kLeast = 20, kUsual = 100;
    return milliseconds < kLeast ? kUsual : milliseconds;
  }
};

// The source must outlive them.
std::unique_ptr<Animation> open_gif(const ByteSource& file);
std::unique_ptr<Animation> open_moving_webp(const ByteSource& file);
// By how the file begins; null where pictures of its format do not move.
std::unique_ptr<Animation> open_animation(const ByteSource& file);

// The frame of a moment; of one that no frame has, the first one after it, or the last.
std::unique_ptr<PictureDecoder> open_frame(std::unique_ptr<Animation> animation, std::int64_t at);

// Moments of frames that stand for it, `most` at most, in their order: one of each scene, as of
// films (base/choose_frames.h). Looks at so many frames as this process has the time for.
std::vector<std::int64_t> scenes_of(Animation& animation, std::size_t most);

}  // namespace hinny
