#include "vision/resample.h"

#include <algorithm>
#include <cmath>

namespace hinny {
namespace {

// Sums are exact in 32 bits: 8 for the pixel, 2 for what bicubic's negative weights add.
constexpr int kFraction = 32 - 8 - 2;
constexpr double kOne = 1 << kFraction;

double weight(Filter filter, double x) {
  x = std::abs(x);
  if (filter == Filter::bilinear) return std::max(0.0, 1 - x);
  constexpr double a = -0.5;
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}

// What one pixel of the result is made of: `weights` of the source's from `first` on.
struct Taps {
  int first = 0;
  std::vector<std::int32_t> weights;
};

std::vector<Taps> all_taps(int from, int to, Filter filter) {
  const double scale = static_cast<double>(from) / to;
  const double widening = std::max(1.0, scale);  // shrinking, the filter covers all that is lost
  const double support = (filter == Filter::bicubic ? 2 : 1) * widening;
  std::vector<Taps> all(static_cast<std::size_t>(to));
  std::vector<double> exact;
  for (int i = 0; i < to; ++i) {
    const double centre = (i + 0.5) * scale;
    Taps& taps = all[static_cast<std::size_t>(i)];
    taps.first = std::max(0, static_cast<int>(centre - support + 0.5));
    const int end = std::min(from, static_cast<int>(centre + support + 0.5));
    exact.clear();
    double sum = 0;
    for (int at = taps.first; at < end; ++at) {
      exact.push_back(weight(filter, (at - centre + 0.5) * (1 / widening)));
      sum += exact.back();
    }
    for (const double value : exact) {
      const double share = value / sum * kOne;
      taps.weights.push_back(static_cast<std::int32_t>(share + (share < 0 ? -0.5 : 0.5)));
    }
  }
  return all;
}

std::uint8_t rounded(std::int32_t sum) {
  return static_cast<std::uint8_t>(std::clamp(sum >> kFraction, 0, 255));
}

// One pixel: its taps lie `step` bytes apart.
void blend(const std::uint8_t* source, std::size_t step, const Taps& taps, std::uint8_t* out) {
  constexpr std::int32_t kHalf = 1 << (kFraction - 1);
  std::int32_t red = kHalf;
  std::int32_t green = kHalf;
  std::int32_t blue = kHalf;
  for (const std::int32_t part : taps.weights) {
    red += source[0] * part;
    green += source[1] * part;
    blue += source[2] * part;
    source += step;
  }
  out[0] = rounded(red);
  out[1] = rounded(green);
  out[2] = rounded(blue);
}

Picture empty_picture(int width, int height) {
  const auto pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  return {width, height, std::vector<std::uint8_t>(3 * pixels)};
}

Picture across(const Picture& picture, int width, Filter filter) {
  if (width == picture.width) return picture;
  const std::vector<Taps> all = all_taps(picture.width, width, filter);
  Picture result = empty_picture(width, picture.height);
  std::uint8_t* out = result.pixels.data();
  const auto row = static_cast<std::size_t>(picture.width) * 3;
  for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y) {
    const std::uint8_t* source = picture.pixels.data() + y * row;
    for (const Taps& taps : all) {
      blend(source + static_cast<std::ptrdiff_t>(taps.first) * 3, 3, taps, out);
      out += 3;
    }
  }
  return result;
}

Picture down(const Picture& picture, int height, Filter filter) {
  if (height == picture.height) return picture;
  Picture result = empty_picture(picture.width, height);
  std::uint8_t* out = result.pixels.data();
  const auto row = static_cast<std::size_t>(picture.width) * 3;
  for (const Taps& taps : all_taps(picture.height, height, filter)) {
    const std::uint8_t* source = picture.pixels.data() + static_cast<std::size_t>(taps.first) * row;
    for (std::size_t x = 0; x < row; x += 3, out += 3) blend(source + x, row, taps, out);
  }
  return result;
}

}  // namespace

Picture resample(const Picture& picture, int width, int height, Filter filter) {
  // Pillow always goes across first; one column of millions of rows would fill the memory so.
  const bool fits = static_cast<std::int64_t>(width) * picture.height <= kMostPixels;
  if (fits) return down(across(picture, width, filter), height, filter);
  return across(down(picture, height, filter), width, filter);
}

}  // namespace hinny
