#include "vision/builtin/grid.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>
#include <span>

#include "vision/builtin/colours.h"

namespace hinny {
namespace {

std::size_t cell_of(int x, int y, const Picture& picture) {
  const int cell = y * kGrid / picture.height * kGrid + x * kGrid / picture.width;
  return static_cast<std::size_t>(cell);
}

float cell_pixels(const Picture& picture) {
  return static_cast<float>(picture.width * picture.height) / (kGrid * kGrid);
}

}  // namespace

std::vector<float> colour_grid(const Picture& picture) {
  std::vector<float> shares(std::size_t{kGrid * kGrid * kColours}, 0.0F);
  const float one = 1 / cell_pixels(picture);
  const std::uint8_t* pixel = picture.pixels.data();
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x, pixel += 3) {
      const auto name = static_cast<std::size_t>(colour_name(pixel[0], pixel[1], pixel[2]));
      shares[cell_of(x, y, picture) * kColours + name] += one;
    }
  }
  return shares;
}

std::vector<float> edge_grid(const Picture& picture) {
  const cv::Mat rgb(picture.height, picture.width, CV_8UC3,
                    const_cast<std::uint8_t*>(picture.pixels.data()));
  cv::Mat grey;
  cv::cvtColor(rgb, grey, cv::COLOR_RGB2GRAY);
  cv::Mat right;
  cv::Mat down;
  cv::Sobel(grey, right, CV_32F, 1, 0);
  cv::Sobel(grey, down, CV_32F, 0, 1);
  std::vector<float> edges(std::size_t{kGrid * kGrid * kDirections}, 0.0F);
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const float dx = right.at<float>(y, x);
      const float dy = down.at<float>(y, x);
      const float strength = std::sqrt(dx * dx + dy * dy);
      if (strength < 1) continue;
      // Opposite gradients are one direction.
      const float turn = cv::fastAtan2(dy, dx) / 180 * kDirections;
      const auto left = static_cast<int>(turn);
      const float share = turn - static_cast<float>(left);
      float* cell = edges.data() + cell_of(x, y, picture) * kDirections;
      cell[left % kDirections] += strength * (1 - share);
      cell[(left + 1) % kDirections] += strength * share;
    }
  }
  for (float& edge : edges) edge = std::sqrt(edge / 1000 / cell_pixels(picture));
  return edges;
}

}  // namespace hinny
