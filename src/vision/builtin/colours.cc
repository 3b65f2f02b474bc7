#include "vision/builtin/colours.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hinny {
namespace {

struct Lab {
  float lightness, a, b;
};

float linear(float value) {
  const float x = value / 255;
  return x <= 0.04045F ? x / 12.92F : std::pow((x + 0.055F) / 1.055F, 2.4F);
}

// Oklab (Ottosson 2020): distances in it are close to those that people see.
Lab oklab(Rgb colour) {
  const float r = linear(colour.red);
  const float g = linear(colour.green);
  const float b = linear(colour.blue);
  const float l = std::cbrt(0.4122215F * r + 0.5363326F * g + 0.0514460F * b);
  const float m = std::cbrt(0.2119035F * r + 0.6806995F * g + 0.1073970F * b);
  const float s = std::cbrt(0.0883025F * r + 0.2817188F * g + 0.6299787F * b);
  return {0.2104543F * l + 0.7936178F * m - 0.0040720F * s,
          1.9779985F * l - 2.4285922F * m + 0.4505937F * s,
          0.0259040F * l + 0.7827718F * m - 0.8086758F * s};
}

struct Example {
  int name;
  Rgb colour;
};

// Several examples per name, because names cover regions of very different shapes.
const std::vector<Example> kExamples = {
    {0, {215, 35, 40}},    {0, {255, 0, 0}},      {0, {150, 20, 30}},    {0, {230, 80, 70}},
    {1, {245, 130, 30}},   {1, {255, 165, 0}},    {1, {225, 110, 45}},   {2, {250, 220, 40}},
    {2, {255, 255, 0}},    {2, {240, 220, 120}},  {3, {45, 160, 70}},    {3, {0, 110, 40}},
    {3, {120, 200, 80}},   {3, {0, 255, 0}},      {3, {90, 120, 50}},    {4, {40, 190, 190}},
    {4, {0, 255, 255}},    {4, {20, 130, 130}},   {5, {40, 90, 210}},    {5, {0, 0, 255}},
    {5, {20, 40, 110}},    {5, {110, 170, 235}},  {6, {130, 60, 170}},   {6, {80, 30, 110}},
    {6, {170, 120, 210}},  {7, {240, 130, 180}},  {7, {255, 105, 180}},  {7, {245, 180, 190}},
    {7, {220, 40, 140}},   {8, {130, 80, 45}},    {8, {90, 55, 30}},     {8, {165, 115, 75}},
    {9, {15, 15, 18}},     {9, {40, 40, 42}},     {10, {128, 128, 128}}, {10, {85, 85, 88}},
    {10, {175, 175, 178}}, {11, {255, 255, 255}}, {11, {235, 235, 232}},
};

struct Place {
  int name;
  Lab at;
};

const std::vector<Place>& places() {
  static const std::vector<Place> all = [] {
    std::vector<Place> made;
    made.reserve(kExamples.size());
    for (const Example& example : kExamples) made.push_back({example.name, oklab(example.colour)});
    return made;
  }();
  return all;
}

std::array<float, kColours> squared_distances(Rgb colour) {
  std::array<float, kColours> nearest;
  nearest.fill(1e9F);
  const Lab here = oklab(colour);
  for (const Place& place : places()) {
    const float l = 0.7F * (here.lightness - place.at.lightness);  // shade matters less than hue
    const float a = here.a - place.at.a;
    const float b = here.b - place.at.b;
    float& best = nearest[static_cast<std::size_t>(place.name)];
    best = std::min(best, l * l + a * a + b * b);
  }
  return nearest;
}

constexpr int kSteps = 32;

std::vector<std::uint8_t> make_table() {
  std::vector<std::uint8_t> table;
  const auto value = [](int step) { return static_cast<float>(step * 8) + 3.5F; };
  for (int r = 0; r < kSteps; ++r) {
    for (int g = 0; g < kSteps; ++g) {
      for (int b = 0; b < kSteps; ++b) {
        const auto far = squared_distances({value(r), value(g), value(b)});
        const auto best = std::min_element(far.begin(), far.end());
        table.push_back(static_cast<std::uint8_t>(best - far.begin()));
      }
    }
  }
  return table;
}

}  // namespace

std::array<float, kColours> colour_weights(Rgb colour) {
  constexpr float kSpread = 0.05F;
  std::array<float, kColours> weights = squared_distances(colour);
  const float least = *std::min_element(weights.begin(), weights.end());
  float sum = 0;
  for (float& weight : weights) {
    weight = std::exp((least - weight) / (2 * kSpread * kSpread));
    sum += weight;
  }
  for (float& weight : weights) weight /= sum;
  return weights;
}

int colour_name(std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
  static const std::vector<std::uint8_t> table = make_table();
  const int at = ((red >> 3) * kSteps + (green >> 3)) * kSteps + (blue >> 3);
  return table[static_cast<std::size_t>(at)];
}

}  // namespace hinny
