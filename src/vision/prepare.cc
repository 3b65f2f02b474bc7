#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "vision/preprocess.h"

namespace hinny {
namespace {

cv::Size resized(const Picture& picture, const Preprocess& how) {
  if (how.resize == Preprocess::Resize::squash) return {how.size, how.size};
  // A picture of one line of pixels must not become thousands of times as large.
  constexpr double kMostStretch = 16;
  const int shorter = std::min(picture.width, picture.height);
  const auto side = [&](int length) {
    const double ratio = std::min(static_cast<double>(length) / shorter, kMostStretch);
    return static_cast<int>(std::lround(ratio * how.size));
  };
  return {side(picture.width), side(picture.height)};
}

// Writes one crop as three planes.
void write_planes(const cv::Mat& rgb, const Preprocess& how, bool mirror, float* out) {
  const int side = how.crop;
  for (int channel = 0; channel < 3; ++channel) {
    const int source = how.rgb ? channel : 2 - channel;
    const auto index = static_cast<std::size_t>(channel);
    const float mean = how.mean[index];
    const float scale = how.scale[index];
    for (int y = 0; y < side; ++y) {
      const auto* row = rgb.ptr<std::uint8_t>(y);
      for (int x = 0; x < side; ++x) {
        const int from = mirror ? side - 1 - x : x;
        *out++ = (static_cast<float>(row[from * 3 + source]) - mean) * scale;
      }
    }
  }
}

}  // namespace

std::vector<float> prepare(const Picture& picture, const Preprocess& how) {
  const cv::Mat whole(picture.height, picture.width, CV_8UC3,
                      const_cast<std::uint8_t*>(picture.pixels.data()));
  const cv::Size size = resized(picture, how);
  const bool shrinks = size.width < picture.width || size.height < picture.height;
  cv::Mat scaled;
  cv::resize(whole, scaled, size, 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);

  const int right = size.width - how.crop;
  const int bottom = size.height - how.crop;
  std::vector<cv::Point> corners = {{right / 2, bottom / 2}};
  if (how.ten_crop)
    corners.insert(corners.end(), {{0, 0}, {right, 0}, {0, bottom}, {right, bottom}});

  const auto plane = static_cast<std::size_t>(how.crop) * static_cast<std::size_t>(how.crop);
  std::vector<float> input(static_cast<std::size_t>(how.crops()) * 3 * plane);
  float* out = input.data();
  for (const cv::Point corner : corners) {
    const cv::Mat crop = scaled(cv::Rect(corner, cv::Size(how.crop, how.crop)));
    for (const bool mirror : {false, true}) {
      if (mirror && !how.ten_crop) continue;
      write_planes(crop, how, mirror, out);
      out += 3 * plane;
    }
  }
  return input;
}

}  // namespace hinny
