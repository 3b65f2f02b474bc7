// For tests: matrices of OpenCV as picture files.
#pragma once

#include <gtest/gtest.h>
#include <png.h>
#include <webp/encode.h>

#include <filesystem>
#include <opencv2/imgproc.hpp>
#include <string>

#include "base/atomic_file.h"
#include "vision/write_jpeg.h"

namespace hinny {

struct WrittenAs {
  bool progressive = false;  // JPEG
  bool lossless = false;     // WebP
};

// `picture`: grey, or blue, green, red, and how much there is of each pixel; without gaps. JPEG
// knows no transparency, WebP nothing grey.
inline std::string png_file(const cv::Mat& picture) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(picture.cols);
  image.height = static_cast<png_uint_32>(picture.rows);
  image.format = picture.channels() == 1   ? PNG_FORMAT_GRAY
                 : picture.channels() == 3 ? PNG_FORMAT_BGR
                                           : PNG_FORMAT_BGRA;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(image);
  std::string bytes(size, '\0');
  EXPECT_NE(png_image_write_to_memory(&image, bytes.data(), &size, 0, picture.data, 0, nullptr), 0);
  bytes.resize(size);
  return bytes;
}

inline std::string jpeg_file(const cv::Mat& picture, bool progressive) {
  cv::Mat rgb;
  if (picture.channels() == 3) {
    cv::cvtColor(picture, rgb, cv::COLOR_BGR2RGB);
  } else {
    rgb = picture;
  }
  return write_jpeg({rgb.data, rgb.cols, rgb.rows, rgb.channels()}, {95, progressive});
}

inline std::string webp_file(const cv::Mat& picture, bool lossless) {
  const int stride = static_cast<int>(picture.step);
  std::uint8_t* made = nullptr;
  const bool see_through = picture.channels() == 4;
  const std::size_t size = lossless
                               ? (see_through ? WebPEncodeLosslessBGRA : WebPEncodeLosslessBGR)(
                                     picture.data, picture.cols, picture.rows, stride, &made)
                               : (see_through ? WebPEncodeBGRA : WebPEncodeBGR)(
                                     picture.data, picture.cols, picture.rows, stride, 80, &made);
  EXPECT_GT(size, 0U);
  const std::string bytes(reinterpret_cast<const char*>(made), size);
  WebPFree(made);
  return bytes;
}

// `ending`: .png, .jpg or .webp.
inline std::string encoded(const std::string& ending, const cv::Mat& picture,
                           const WrittenAs& how = {}) {
  if (ending == ".png") return png_file(picture);
  return ending == ".jpg" ? jpeg_file(picture, how.progressive) : webp_file(picture, how.lossless);
}

}  // namespace hinny
