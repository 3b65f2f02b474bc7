#include "vision/reader_version.h"

#include <fmt/format.h>
#include <jxl/decode.h>
#include <lcms2.h>
#include <libheif/heif.h>
#include <libraw/libraw.h>
#include <png.h>
#include <tiffio.h>
#include <webp/decode.h>

#include <cstdio>
#include <string_view>
// Needs what stands above.
#include <jpeglib.h>

namespace hinny {
namespace {

constexpr int kOurs = 5;  // raised when this level reads more files, or reads them otherwise

// "LIBTIFF, Version 4.5.0", and lines on who wrote it
std::string tiff_version() {
  const std::string_view text = TIFFGetVersion();
  const std::string_view line = text.substr(0, text.find('\n'));
  return std::string(line.substr(line.rfind(' ') + 1));
}

}  // namespace

std::string picture_reader_version() {
  const int webp = WebPGetDecoderVersion();
  return fmt::format(
      "{} libheif {} libjpeg {} libpng {} libwebp {}.{}.{} libtiff {} lcms {} "
      "libraw {} libjxl {}",
      kOurs, heif_get_version(), LIBJPEG_TURBO_VERSION_NUMBER, png_get_libpng_ver(nullptr),
      webp >> 16, webp >> 8 & 0xFF, webp & 0xFF, tiff_version(), cmsGetEncodedCMMversion(),
      LibRaw::version(), JxlDecoderVersion());
}

}  // namespace hinny
