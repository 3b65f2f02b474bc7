// For tests: GIF and WebP files that move.
#pragma once

#include <gif_lib.h>

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "vision/picture_files_fixture.h"
#include "vision/written_pictures_fixture.h"

namespace hinny {

struct WrittenFrame {
  int left = 0, top = 0, width = 0, height = 0;  // no width: the whole picture
  std::string pixels{};  // of k, r, g, b, w (black ... white); one stands for all
  int delay = 10;        // hundredths of a second
  int disposal = 0;
  char transparent = 0;
  bool interlaced = false;
};

class GifWriter {
 public:
  GifWriter(int width, int height) : width_(width), height_(height) {
    int error = 0;
    file_ = EGifOpen(&bytes_, &GifWriter::put, &error);
    const std::array<GifColorType, 8> colours = {
        {{0, 0, 0}, {255, 0, 0}, {0, 255, 0}, {0, 0, 255}, {255, 255, 255}, {}, {}, {}}};
    ColorMapObject* map = GifMakeMapObject(static_cast<int>(colours.size()), colours.data());
    EGifSetGifVersion(file_, true);
    check(EGifPutScreenDesc(file_, width, height, 3, 0, map));
    GifFreeMapObject(map);
  }
  void frame(WrittenFrame frame) {
    if (frame.width == 0) frame.width = width_, frame.height = height_;
    const auto size = static_cast<std::size_t>(frame.width * frame.height);
    if (frame.pixels.size() == 1) frame.pixels.assign(size, frame.pixels[0]);
    const GraphicsControlBlock control{
        frame.disposal, false, frame.delay,
        frame.transparent == 0 ? NO_TRANSPARENT_COLOR : colour(frame.transparent)};
    std::array<GifByteType, 4> bytes{};
    EGifGCBToExtension(&control, bytes.data());
    check(EGifPutExtension(file_, GRAPHICS_EXT_FUNC_CODE, 4, bytes.data()));
    check(EGifPutImageDesc(file_, frame.left, frame.top, frame.width, frame.height,
                           frame.interlaced, nullptr));
    constexpr std::array<std::array<int, 2>, 4> kPasses = {{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
    for (std::size_t pass = 0; pass < (frame.interlaced ? 4U : 1U); ++pass) {
      const auto [first, step] = frame.interlaced ? kPasses[pass] : std::array<int, 2>{0, 1};
      for (int y = first; y < frame.height; y += step) put_row(frame, y);
    }
  }
  std::string finish() {
    int error = 0;
    if (EGifCloseFile(file_, &error) == GIF_ERROR) throw std::runtime_error("gif");
    return bytes_;
  }

 private:
  static int put(GifFileType* file, const GifByteType* bytes, int count) {
    static_cast<std::string*>(file->UserData)
        ->append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
    return count;
  }
  static void check(int status) {
    if (status == GIF_ERROR) throw std::runtime_error("gif");
  }
  static int colour(char letter) {
    return static_cast<int>(std::string_view("krgbw").find(letter));
  }
  void put_row(const WrittenFrame& frame, int y) {
    std::vector<GifPixelType> row;
    for (int x = 0; x < frame.width; ++x) {
      row.push_back(static_cast<GifPixelType>(
          colour(frame.pixels[static_cast<std::size_t>(y * frame.width + x)])));
    }
    check(EGifPutLine(file_, row.data(), frame.width));
  }

  int width_, height_;
  std::string bytes_;
  GifFileType* file_;
};

inline std::string gif_file(int width, int height, const std::vector<WrittenFrame>& frames) {
  GifWriter writer(width, height);
  for (const WrittenFrame& frame : frames) writer.frame(frame);
  return writer.finish();
}

// The left half of one colour, the right half of another: a scene of its own.
inline std::string halves(int width, int height, char left, char right) {
  std::string pixels;
  for (int y = 0; y < height; ++y) {
    pixels += std::string(static_cast<std::size_t>(width / 2), left);
    pixels += std::string(static_cast<std::size_t>(width - width / 2), right);
  }
  return pixels;
}

// Three scenes of 32 x 24 pixels: two frames of the first, one of the second, three of the third.
inline std::string moving_gif_file() {
  std::vector<WrittenFrame> frames;
  for (const std::string_view colours : {"rb", "rb", "gw", "kr", "kr", "kr"}) {
    frames.push_back({.pixels = halves(32, 24, colours[0], colours[1])});
  }
  return gif_file(32, 24, frames);
}

// Of pictures of one size, each seen for a tenth of a second.
inline std::string moving_webp_file(const std::vector<cv::Mat>& pictures) {
  const auto side = [](int length) {
    return tiff_number(static_cast<std::uint32_t>(length - 1), 3);
  };
  const std::string size = side(pictures[0].cols) + side(pictures[0].rows);
  std::string chunks = "WEBPVP8X" + tiff_number(10, 4) + tiff_number(2, 4) + size + "ANIM" +
                       tiff_number(6, 4) + std::string(6, '\0');
  for (const cv::Mat& picture : pictures) {
    const std::string content = std::string(6, '\0') + size + tiff_number(100, 3) +
                                std::string(1, '\0') +
                                encoded(".webp", picture, {.lossless = true}).substr(12);
    chunks += "ANMF" + tiff_number(static_cast<std::uint32_t>(content.size()), 4) + content;
  }
  return "RIFF" + tiff_number(static_cast<std::uint32_t>(chunks.size()), 4) + chunks;
}

}  // namespace hinny
