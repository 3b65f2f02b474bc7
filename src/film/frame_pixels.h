// Decoded frames -> pixels as they are seen.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/choose_frames.h"
#include "film/film.h"

extern "C" {
#include <libswscale/swscale.h>
}

namespace hinny::film {

struct Pixels {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // sRGB, [height, width, 3]
};

// Keeps what it needs for frames of one size. For one thread.
class FramePixels {
 public:
  // Turned as the film says, with square pixels, the longer side `most` at most. Throws Unreadable
  // for a kind of pixels that cannot be converted.
  Pixels seen(const Film& film, const AVFrame& frame, int most);
  Glance glance(const AVFrame& frame);

 private:
  struct Free {
    void operator()(SwsContext* scaler) const { sws_freeContext(scaler); }
  };
  std::vector<std::uint8_t> scaled(const AVFrame& frame, int width, int height);
  std::unique_ptr<SwsContext, Free> scaler_;
};

}  // namespace hinny::film
