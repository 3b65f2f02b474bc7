#include "vision/builtin/builtin_encoder.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <span>

#include "base/threads.h"
#include "vision/builtin/grid.h"
#include "vision/builtin/kernel_features.h"
#include "vision/builtin/shape.h"
#include "vision/builtin/soft_bins.h"
#include "vision/builtin/things.h"
#include "vision/picture_encoder.h"

namespace hinny {
namespace {

constexpr int kSide = 224;
constexpr int kShapes = 256;  // kernel features of a shape, summed over all things
constexpr int kFew = 64;      // of them, for things of each colour, size and place
constexpr int kCounts = 8;
constexpr int kSizes = 4;
constexpr int kPlaces = 3;  // from left to right, and from top to bottom

// One after another: what describe_picture() returns.
struct Layout {
  std::vector<float> counts = zeros(kCounts);
  std::vector<float> colours = zeros(kColours);
  std::vector<float> colour_sizes = zeros(kColours * kSizes);
  std::vector<float> colour_places = zeros(kColours * 2 * kPlaces);
  std::vector<float> shapes = zeros(kShapes);
  std::vector<float> colour_shapes = zeros(kColours * kFew);
  std::vector<float> size_shapes = zeros(kSizes * kFew);
  std::vector<float> place_shapes = zeros(2 * kPlaces * kFew);
  std::vector<float> mean_shape = zeros(kShapeSize);
  std::vector<float> background = zeros(2 * kColours);  // upper and lower half
  std::vector<float> colour_cells = zeros(kGrid * kGrid * kColours);
  std::vector<float> edge_cells = zeros(kGrid * kGrid * kDirections);

  static std::vector<float> zeros(int size) {
    return std::vector<float>(static_cast<std::size_t>(size), 0.0F);
  }
  std::vector<float> joined() const {
    std::vector<float> all;
    for (const auto* part :
         {&counts, &colours, &colour_sizes, &colour_places, &shapes, &colour_shapes, &size_shapes,
          &place_shapes, &mean_shape, &background, &colour_cells, &edge_cells}) {
      all.insert(all.end(), part->begin(), part->end());
    }
    return all;
  }
};

// Adds the product of every number of `left` with every number of `right`.
void add_products(std::span<const float> left, std::span<const float> right,
                  std::vector<float>& out) {
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] == 0) continue;
    for (std::size_t j = 0; j < right.size(); ++j) out[i * right.size() + j] += left[i] * right[j];
  }
}

std::vector<float> places_of(const Thing& thing) {
  std::vector<float> places(2 * kPlaces, 0.0F);
  const float x = static_cast<float>(thing.x) + static_cast<float>(thing.width) / 2;
  const float y = static_cast<float>(thing.y) + static_cast<float>(thing.height) / 2;
  const std::span<float> both(places);
  add_soft(x / kSide, 0.15F, 0.85F, 1, both.first(kPlaces));
  add_soft(y / kSide, 0.15F, 0.85F, 1, both.last(kPlaces));
  return places;
}

std::vector<float> sizes_of(const Thing& thing) {
  std::vector<float> sizes(kSizes, 0.0F);
  const auto side = static_cast<float>(std::max(thing.width, thing.height));
  add_soft(std::log2(side), std::log2(20.0F), std::log2(100.0F), 1, sizes);
  return sizes;
}

void add_thing(const Thing& thing, Layout& out) {
  static const KernelFeatures kernel(kShapeSize, kShapes, 2.0F, 1);
  const std::vector<float> shape = describe_shape(thing);
  std::vector<float> features(kShapes, 0.0F);
  kernel.add(shape, 1, features);
  const std::span<const float> few = std::span(features).first(kFew);
  const std::vector<float> sizes = sizes_of(thing);
  const std::vector<float> places = places_of(thing);

  for (std::size_t i = 0; i < features.size(); ++i) out.shapes[i] += features[i];
  for (std::size_t i = 0; i < shape.size(); ++i) out.mean_shape[i] += shape[i];
  for (std::size_t i = 0; i < kColours; ++i) out.colours[i] += thing.colours[i];
  add_products(thing.colours, few, out.colour_shapes);
  add_products(thing.colours, sizes, out.colour_sizes);
  add_products(thing.colours, places, out.colour_places);
  add_products(sizes, few, out.size_shapes);
  add_products(places, few, out.place_shapes);
}

void add_background(const Scene& scene, const Picture& picture, Layout& out) {
  const std::size_t half = scene.background.size() / 2;
  for (std::size_t at = 0; at < scene.background.size(); ++at) {
    if (scene.background[at] == 0) continue;
    const std::uint8_t* pixel = picture.pixels.data() + at * 3;
    const auto name = static_cast<std::size_t>(colour_name(pixel[0], pixel[1], pixel[2]));
    out.background[(at < half ? 0 : kColours) + name] += 1 / static_cast<float>(half);
  }
}

Picture squashed(const Picture& picture) {
  if (picture.width == kSide && picture.height == kSide) return picture;
  Picture small{kSide, kSide, std::vector<std::uint8_t>(std::size_t{kSide} * kSide * 3)};
  const cv::Mat from(picture.height, picture.width, CV_8UC3,
                     const_cast<std::uint8_t*>(picture.pixels.data()));
  cv::Mat to(kSide, kSide, CV_8UC3, small.pixels.data());
  const bool shrinks = picture.width > kSide || picture.height > kSide;
  cv::resize(from, to, to.size(), 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
  return small;
}

class BuiltinEncoder : public PictureEncoder {
 public:
  BuiltinEncoder() { cv::setNumThreads(1); }  // pictures are described side by side instead

  std::string name() const override { return std::string(kBuiltinName); }
  std::vector<std::int64_t> shape() const override { return {builtin_size()}; }
  std::vector<float> prepare(const Picture& picture) const override {
    return describe_picture(picture);
  }
  void encode(std::span<const std::vector<float>> prepared, std::span<float> rows) override {
    auto out = rows.begin();
    for (const auto& row : prepared) out = std::copy(row.begin(), row.end(), out);
  }
};

}  // namespace

int builtin_size() {
  static const auto size = static_cast<int>(Layout().joined().size());
  return size;
}

std::vector<float> describe_picture(const Picture& picture) {
  const Picture small = squashed(picture);
  const Scene scene = find_things(small);
  Layout out;
  add_soft(static_cast<float>(scene.things.size()), 0, 14, 1, out.counts);
  for (const Thing& thing : scene.things) add_thing(thing, out);
  add_background(scene, small, out);
  out.colour_cells = colour_grid(small);
  out.edge_cells = edge_grid(small);
  return out.joined();
}

std::unique_ptr<PictureEncoder> make_builtin_encoder() {
  return std::make_unique<BuiltinEncoder>();
}

}  // namespace hinny
