// Pixels -> JPEG.
#pragma once

#include <cstdint>
#include <string>

namespace hinny {

// Rows from the top without gaps, each of `width` pixels.
struct PixelRows {
  const std::uint8_t* first = nullptr;
  int width = 0, height = 0;
  int channels = 3;  // red, green, blue; or 1: grey
};

struct JpegOptions {
  int quality = 85;  // 1 to 100
  bool progressive = false;
};

// A whole file. Safe to call from several threads. Throws Failure for sides that JPEG does not
// have, 0 or above 65,500.
std::string write_jpeg(const PixelRows& pixels, const JpegOptions& options = {});

}  // namespace hinny
