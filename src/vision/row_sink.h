// Rows of pixels, from the top down -> a picture: converted to sRGB, on its background, shrunk.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "vision/colour_profile.h"
#include "vision/picture.h"

namespace hinny {

class RowSink {
 public:
  enum class Pixels { rgb, rgba, cmyk };  // cmyk: 255 is no ink

  // Each pixel of the result is the mean of `shrink` x `shrink` of the picture. `transform` may be
  // empty.
  RowSink(std::int64_t width, std::int64_t height, Pixels pixels, int shrink,
          std::shared_ptr<const ColourTransform> transform = {});

  void set_background(std::array<std::uint8_t, 3> colour) { background_ = colour; }
  // One row of it, 8 bits a number. Those beyond the last one are dropped.
  void put(const std::uint8_t* row);
  std::int64_t rows() const { return row_; }  // that were put
  // What was never put is white.
  Picture finish();

  static std::uint64_t bytes(std::int64_t width, std::int64_t height, int shrink);

 private:
  const std::uint8_t* as_shown(const std::uint8_t* row);
  void add(const std::uint8_t* rgb);
  void flush();

  std::int64_t width_, height_;
  Pixels pixels_;
  int shrink_;
  std::shared_ptr<const ColourTransform> transform_;
  std::array<std::uint8_t, 3> background_{255, 255, 255};
  Picture picture_;
  std::int64_t row_ = 0;
  std::vector<std::uint8_t> shown_;  // a row in RGB
  std::vector<std::uint32_t> sums_;  // of the rows that become one
  int summed_ = 0;
};

}  // namespace hinny
