#include "vision/builtin/background.h"

#include <algorithm>
#include <cmath>

namespace hinny {
namespace {

constexpr float kBorderShare = 0.08F;  // of the border: what makes a colour background
constexpr float kSameColour = 20;      // in every channel
constexpr float kPale = 45;            // between the largest and the smallest channel
constexpr float kBrighter = 75;        // than the background, at most
constexpr float kDarker = 15;          // less than any outline
constexpr float kContact = 0.3F;       // of a patch's edge
constexpr int kPatches = 4;            // pale patches on pale patches

float brightness(Rgb c) { return 0.3F * c.red + 0.59F * c.green + 0.11F * c.blue; }

float saturation(Rgb c) {
  return std::max({c.red, c.green, c.blue}) - std::min({c.red, c.green, c.blue});
}

bool same_colour(Rgb a, Rgb b) {
  return std::abs(a.red - b.red) < kSameColour && std::abs(a.green - b.green) < kSameColour &&
         std::abs(a.blue - b.blue) < kSameColour;
}

std::vector<bool> colours_of_the_border(const std::vector<Region>& regions) {
  std::vector<Region> at_border;
  float border = 0;
  for (const Region& region : regions) {
    if (region.border > 0) at_border.push_back(region);
    border += static_cast<float>(region.border);
  }
  std::vector<bool> background;
  for (const Region& region : regions) {
    float share = 0;
    for (const Region& other : at_border) {
      if (same_colour(region.colour, other.colour)) share += static_cast<float>(other.border);
    }
    background.push_back(share > 0 && share >= kBorderShare * border);
  }
  return background;
}

// How much of each region's edge is there, and how much of it meets background faintly.
struct Edge {
  int whole = 0;
  int faint = 0;
};

std::vector<Edge> edges(const Regions& regions, int width, const std::vector<bool>& background) {
  std::vector<Edge> found(regions.list.size());
  const auto meet = [&](int here, int there) {
    if (here < 0 || here == there) return;
    Edge& edge = found[static_cast<std::size_t>(here)];
    ++edge.whole;
    if (there < 0 || !background[static_cast<std::size_t>(there)]) return;
    const float step = brightness(regions.list[static_cast<std::size_t>(here)].colour) -
                       brightness(regions.list[static_cast<std::size_t>(there)].colour);
    if (step > -kDarker && step < kBrighter) ++edge.faint;
  };
  const auto step = static_cast<std::size_t>(width);
  for (std::size_t at = 0; at < regions.of.size(); ++at) {
    if (at % step > 0) {
      meet(regions.of[at], regions.of[at - 1]);
      meet(regions.of[at - 1], regions.of[at]);
    }
    if (at >= step) {
      meet(regions.of[at], regions.of[at - step]);
      meet(regions.of[at - step], regions.of[at]);
    }
  }
  return found;
}

}  // namespace

std::vector<bool> find_background(const Regions& regions, int width) {
  std::vector<bool> background = colours_of_the_border(regions.list);
  for (int patch = 0; patch < kPatches; ++patch) {
    const std::vector<Edge> all = edges(regions, width, background);
    bool changed = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (background[i] || saturation(regions.list[i].colour) > kPale) continue;
      if (static_cast<float>(all[i].faint) < kContact * static_cast<float>(all[i].whole)) continue;
      background[i] = changed = true;
    }
    if (!changed) break;
  }
  return background;
}

}  // namespace hinny
