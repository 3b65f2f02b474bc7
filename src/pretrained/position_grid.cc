#include "pretrained/position_grid.h"

#include <algorithm>
#include <cmath>

namespace hinny {
namespace {

struct Taps {
  std::vector<std::size_t> from;
  std::vector<double> weight;
};

// Keys 1981.
double cubic(double distance, double a) {
  const double x = std::fabs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

// What a place of the new grid takes of one row of the old.
Taps taps_of(std::size_t place, std::size_t from, std::size_t to, bool smoothly) {
  const double step = static_cast<double>(from) / static_cast<double>(to);
  const double centre = (static_cast<double>(place) + 0.5) * step - 0.5;
  Taps taps;
  if (!smoothly) {
    const double below = std::floor(centre);
    for (int i = -1; i <= 2; ++i) {
      taps.weight.push_back(cubic(centre - below - i, -0.75));
      taps.from.push_back(
          static_cast<std::size_t>(std::clamp(below + i, 0.0, static_cast<double>(from) - 1)));
    }
    return taps;
  }
  const double wide = std::max(step, 1.0);
  double sum = 0;
  for (std::size_t at = 0; at < from; ++at) {
    const double weight = cubic((static_cast<double>(at) - centre) / wide, -0.5);
    if (weight == 0) continue;
    taps.from.push_back(at);
    taps.weight.push_back(weight);
    sum += weight;
  }
  for (double& weight : taps.weight) weight /= sum;
  return taps;
}

}  // namespace

std::vector<float> resize_positions(std::span<const float> grid, std::size_t from, std::size_t to,
                                    std::size_t width, bool smoothly) {
  if (from == to) return {grid.begin(), grid.end()};
  std::vector<float> resized(to * to * width);
  for (std::size_t y = 0; y < to; ++y) {
    const Taps rows = taps_of(y, from, to, smoothly);
    for (std::size_t x = 0; x < to; ++x) {
      const Taps columns = taps_of(x, from, to, smoothly);
      for (std::size_t i = 0; i < width; ++i) {
        double sum = 0;
        for (std::size_t row = 0; row < rows.from.size(); ++row) {
          for (std::size_t column = 0; column < columns.from.size(); ++column) {
            sum += rows.weight[row] * columns.weight[column] *
                   grid[(rows.from[row] * from + columns.from[column]) * width + i];
          }
        }
        resized[(y * to + x) * width + i] = static_cast<float>(sum);
      }
    }
  }
  return resized;
}

}  // namespace hinny
