#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "vision/preprocess.h"
#include "vision/resample.h"

namespace hinny {
namespace {

// As torchvision and transformers do it, by whose figures the networks are known: they cut the
// longer side's fraction off, and a middle between two pixels goes to the even one.
bool as_published(const Preprocess& how) {
  return how.interpolation != Preprocess::Interpolation::area;
}

int middle(int rest, const Preprocess& how) {
  return as_published(how) && !how.middle_down ? static_cast<int>(std::nearbyint(rest / 2.0))
                                               : rest / 2;
}

cv::Size resized(const Picture& picture, const Preprocess& how) {
  if (how.resize == Preprocess::Resize::squash) return {how.size, how.size};
  // A picture of one line of pixels must not become thousands of times as large.
  constexpr double kMostStretch = 16;
  const int shorter = std::min(picture.width, picture.height);
  const auto side = [&](int length) {
    const double side =
        std::min(static_cast<double>(how.size) * length / shorter, kMostStretch * how.size);
    return static_cast<int>(as_published(how) ? side : std::round(side));
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

cv::Mat scale_to(const Picture& picture, cv::Size size, Preprocess::Interpolation how) {
  // Pillow's weights of 22 bits come to nothing where thousands of pixels become one.
  constexpr int kMostShrinking = 4096;
  const bool absurd = picture.width / size.width >= kMostShrinking ||
                      picture.height / size.height >= kMostShrinking;
  if (how != Preprocess::Interpolation::area && !absurd) {
    const Picture scaled =
        resample(picture, size.width, size.height,
                 how == Preprocess::Interpolation::bicubic ? Filter::bicubic : Filter::bilinear);
    return cv::Mat(size, CV_8UC3, const_cast<std::uint8_t*>(scaled.pixels.data())).clone();
  }
  const cv::Mat whole(picture.height, picture.width, CV_8UC3,
                      const_cast<std::uint8_t*>(picture.pixels.data()));
  const bool shrinks = size.width < picture.width || size.height < picture.height;
  cv::Mat scaled;
  cv::resize(whole, scaled, size, 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
  return scaled;
}

}  // namespace

std::vector<float> prepare(const Picture& picture, const Preprocess& how) {
  const cv::Size size = resized(picture, how);
  const cv::Mat scaled = scale_to(picture, size, how.interpolation);

  const int right = size.width - how.crop;
  const int bottom = size.height - how.crop;
  std::vector<cv::Point> corners = {{middle(right, how), middle(bottom, how)}};
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
