#include "vision/builtin/regions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

namespace hinny {
namespace {

constexpr int kLargestStep = 10;   // between neighbours of one region, in any channel
constexpr int kLeastPixels = 16;   // of a region
constexpr int kEdgeThickness = 3;  // of blended edges
constexpr int kBlend = 80;         // summed over the channels: beyond it is no blend

class Grower {
 public:
  explicit Grower(const Picture& picture)
      : picture_(picture),
        width_(picture.width),
        parent_(static_cast<std::size_t>(picture.width) *
                static_cast<std::size_t>(picture.height)) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }

  Regions grow() {
    join_neighbours();
    number_regions();
    for (int i = 0; i < kEdgeThickness; ++i) absorb_scattered();
    measure();
    return std::move(regions_);
  }

 private:
  int pixels() const { return static_cast<int>(parent_.size()); }
  const std::uint8_t* pixel(int at) const {
    return picture_.pixels.data() + static_cast<std::size_t>(at) * 3;
  }
  int& label(int at) { return regions_.of[static_cast<std::size_t>(at)]; }
  int& parent(int at) { return parent_[static_cast<std::size_t>(at)]; }

  template <typename Use>
  void for_neighbours(int at, const Use& use) const {
    if (at % width_ > 0) use(at - 1);
    if (at % width_ < width_ - 1) use(at + 1);
    if (at >= width_) use(at - width_);
    if (at + width_ < pixels()) use(at + width_);
  }

  int root(int at) {
    while (parent(at) != at) at = parent(at) = parent(parent(at));
    return at;
  }

  bool even(int a, int b) const {
    const std::uint8_t* one = pixel(a);
    const std::uint8_t* other = pixel(b);
    return std::abs(one[0] - other[0]) <= kLargestStep &&
           std::abs(one[1] - other[1]) <= kLargestStep &&
           std::abs(one[2] - other[2]) <= kLargestStep;
  }

  // Only pixels that are even on all sides join: along a slanting edge the blends change so
  // slowly that regions would leak into each other.
  void join_neighbours() {
    std::vector<std::uint8_t> calm(parent_.size(), 1);
    for (int at = 0; at < pixels(); ++at) {
      const auto here = static_cast<std::size_t>(at);
      if (at % width_ > 0 && !even(at - 1, at)) calm[here - 1] = calm[here] = 0;
      const auto above = here - static_cast<std::size_t>(width_);
      if (at >= width_ && !even(at - width_, at)) calm[above] = calm[here] = 0;
    }
    const auto join = [&](int before, int at) {
      if (calm[static_cast<std::size_t>(before)] == 0) return;
      const int first = root(before);
      const int second = root(at);
      // The lower one wins, so that the numbering follows reading order.
      parent(std::max(first, second)) = std::min(first, second);
    };
    for (int at = 0; at < pixels(); ++at) {
      if (calm[static_cast<std::size_t>(at)] == 0) continue;
      if (at % width_ > 0) join(at - 1, at);
      if (at >= width_) join(at - width_, at);
    }
  }

  void number_regions() {
    std::vector<int> count(parent_.size(), 0);
    for (int at = 0; at < pixels(); ++at) {
      parent(at) = parent(parent(at));  // parents come first, so this is the root
      ++count[static_cast<std::size_t>(parent(at))];
    }
    std::vector<int> number(parent_.size(), -1);
    regions_.of.assign(parent_.size(), -1);
    for (int at = 0; at < pixels(); ++at) {
      const auto top = static_cast<std::size_t>(parent(at));
      if (count[top] < kLeastPixels) continue;
      if (number[top] < 0) {
        number[top] = static_cast<int>(regions_.list.size());
        regions_.list.emplace_back();
      }
      label(at) = number[top];
      parent(at) = at;  // from here on: the pixel whose colour stands for the region nearby
    }
  }

  // One layer of scattered pixels joins the regions beside it.
  void absorb_scattered() {
    std::vector<std::pair<int, int>> joins;
    for (int at = 0; at < pixels(); ++at) {
      if (label(at) >= 0) continue;
      int nearest = kBlend;
      int best = -1;
      for_neighbours(at, [&](int beside) {
        if (label(beside) < 0) return;
        const int far = distance(pixel(at), pixel(parent(beside)));
        if (far >= nearest) return;
        nearest = far;
        best = beside;
      });
      if (best >= 0) joins.emplace_back(at, best);
    }
    for (const auto& [at, beside] : joins) {
      label(at) = label(beside);
      parent(at) = parent(beside);
    }
  }

  static int distance(const std::uint8_t* a, const std::uint8_t* b) {
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
  }

  void measure() {
    std::vector<std::array<double, 3>> sums(regions_.list.size());
    for (Region& region : regions_.list) region = Region{};
    for (int at = 0; at < pixels(); ++at) {
      if (label(at) < 0) continue;
      const auto index = static_cast<std::size_t>(label(at));
      Region& region = regions_.list[index];
      ++region.area;
      const int x = at % width_;
      const int y = at / width_;
      if (x == 0 || y == 0 || x == width_ - 1 || y == picture_.height - 1) ++region.border;
      for (std::size_t i = 0; i < 3; ++i) sums[index][i] += pixel(at)[i];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const double area = regions_.list[i].area;
      regions_.list[i].colour = {static_cast<float>(sums[i][0] / area),
                                 static_cast<float>(sums[i][1] / area),
                                 static_cast<float>(sums[i][2] / area)};
    }
  }

  const Picture& picture_;
  int width_;
  std::vector<int> parent_;
  Regions regions_;
};

}  // namespace

Regions find_regions(const Picture& picture) { return Grower(picture).grow(); }

}  // namespace hinny
