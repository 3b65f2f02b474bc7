#include "vision/builtin/shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <opencv2/imgproc.hpp>

namespace hinny {
namespace {

constexpr int kAngles = 32;
using Contour = std::vector<cv::Point>;

cv::Mat view(const Thing& thing) {
  return {thing.height, thing.width, CV_8U, const_cast<std::uint8_t*>(thing.mask.data())};
}

// The share of each of cells x cells that `mask` (0 or 1) covers.
void add_template(const cv::Mat& mask, int cells, std::vector<float>& code) {
  cv::Mat covered;
  mask.convertTo(covered, CV_32F);
  cv::Mat small;
  const bool shrinks = mask.cols >= cells && mask.rows >= cells;
  cv::resize(covered, small, {cells, cells}, 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
  code.insert(code.end(), small.begin<float>(), small.end<float>());
}

Contour outer_contour(const cv::Mat& mask) {
  std::vector<Contour> contours;
  cv::findContours(mask, contours, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_NONE);
  return *std::max_element(contours.begin(), contours.end(),
                           [](const Contour& a, const Contour& b) { return a.size() < b.size(); });
}

// Distance of the outline from the centre in each direction, relative to its mean.
std::array<float, kAngles> radii(const Contour& contour, float x, float y) {
  std::array<float, kAngles> far{};
  for (const cv::Point& point : contour) {
    const float dx = static_cast<float>(point.x) - x;
    const float dy = static_cast<float>(point.y) - y;
    const float turn = std::atan2(dy, dx) / (2 * std::numbers::pi_v<float>)+1;
    const auto angle = static_cast<std::size_t>(turn * kAngles) % kAngles;
    far[angle] = std::max(far[angle], std::hypot(dx, dy));
  }
  // A direction that no pixel of a small outline falls into takes its neighbour's distance.
  for (std::size_t i = 0; i < 2 * kAngles; ++i) {
    float& here = far[i % kAngles];
    if (here == 0) here = far[(i + kAngles - 1) % kAngles];
  }
  float sum = 0;
  for (const float value : far) sum += value;
  for (float& value : far) value *= kAngles / std::max(sum, 1.0F);
  return far;
}

void add_harmonics(const std::array<float, kAngles>& far, std::vector<float>& code) {
  for (int harmonic = 1; harmonic <= kHarmonics; ++harmonic) {
    float real = 0;
    float imaginary = 0;
    for (int i = 0; i < kAngles; ++i) {
      const float angle =
          2 * std::numbers::pi_v<float> * static_cast<float>(harmonic * i) / kAngles;
      real += far[static_cast<std::size_t>(i)] * std::cos(angle);
      imaginary += far[static_cast<std::size_t>(i)] * std::sin(angle);
    }
    code.push_back(8 * std::hypot(real, imaginary) / kAngles);
  }
}

// Solidity, roundness, box fill, aspect, centre of mass, elongation with direction, holes, parts.
void add_numbers(const cv::Mat& mask, const Contour& contour, const cv::Moments& moments,
                 std::vector<float>& code) {
  Contour hull;
  cv::convexHull(contour, hull);
  const double area = moments.m00;
  const double filled = std::max(cv::contourArea(contour) + cv::arcLength(contour, true) / 2, 1.0);
  const double around = std::max(cv::arcLength(contour, true), 1.0);
  const double hull_area = std::max(cv::contourArea(hull) + cv::arcLength(hull, true) / 2, 1.0);
  const double width = mask.cols;
  const double height = mask.rows;
  const double spread = std::max(moments.mu20 + moments.mu02, 1.0);
  const auto add = [&](double value) { code.push_back(static_cast<float>(value)); };
  add(3 * std::min(filled / hull_area, 1.0));
  add(2 * std::min(4 * std::numbers::pi * filled / (around * around), 1.2));
  add(2 * area / (width * height));
  add(1.5 * std::log2(width / height));
  add(6 * ((moments.m10 / area + 0.5) / width - 0.5));
  add(6 * ((moments.m01 / area + 0.5) / height - 0.5));
  add(1.5 * (moments.mu20 - moments.mu02) / spread);
  add(1.5 * 2 * moments.mu11 / spread);
  add(3 * std::max(0.0, 1 - area / filled));
  add(2 * cv::countNonZero(mask == 2) / area);
}

}  // namespace

std::vector<float> describe_shape(const Thing& thing) {
  const cv::Mat mask = view(thing);
  const cv::Mat whole = cv::min(mask, 1);
  const cv::Moments moments = cv::moments(whole, true);
  const Contour contour = outer_contour(whole);
  std::vector<float> code;
  code.reserve(kShapeSize);
  add_template(whole, kTemplate, code);
  add_template((mask == 2) / 255, kDetail, code);
  add_harmonics(radii(contour, static_cast<float>(moments.m10 / moments.m00),
                      static_cast<float>(moments.m01 / moments.m00)),
                code);
  add_numbers(mask, contour, moments, code);
  return code;
}

}  // namespace hinny
