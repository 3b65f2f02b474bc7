#include "vision/builtin/things.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <opencv2/imgproc.hpp>

#include "vision/builtin/background.h"
#include "vision/builtin/regions.h"

namespace hinny {
namespace {

constexpr int kLeastThingPixels = 100;  // of a thing
constexpr int kLeastThingSide = 8;      // of its box: thinner ones are lines

// Numbers what is connected by more than threads: two things that a blade of grass joins are two.
cv::Mat connected(const cv::Mat& foreground) {
  constexpr int kThread = 2;  // pixels that a thing keeps of the threads that leave it
  const cv::Mat square = cv::Mat::ones(3, 3, CV_8U);
  cv::Mat solid;
  cv::morphologyEx(foreground, solid, cv::MORPH_OPEN, square);
  cv::Mat labels;
  cv::connectedComponents(solid, labels, 4, CV_16U);
  for (int i = 0; i < kThread; ++i) {
    cv::Mat grown;
    cv::dilate(labels, grown, square);
    grown.copyTo(labels, foreground & (labels == 0));
  }
  return labels;
}

struct LabelledBox {
  int label;
  cv::Rect box;
};

// Boxes around the labels that are large enough, those of the largest area first.
std::vector<LabelledBox> boxes_by_size(const cv::Mat& labels) {
  struct Extent {
    int area = 0, left = 1 << 30, top = 1 << 30, right = -1, bottom = -1;
  };
  std::map<int, Extent> extents;
  for (int y = 0; y < labels.rows; ++y) {
    for (int x = 0; x < labels.cols; ++x) {
      const int label = labels.at<std::uint16_t>(y, x);
      if (label == 0) continue;
      Extent& extent = extents[label];
      ++extent.area;
      extent.left = std::min(extent.left, x);
      extent.top = std::min(extent.top, y);
      extent.right = std::max(extent.right, x);
      extent.bottom = std::max(extent.bottom, y);
    }
  }
  std::vector<std::pair<int, Extent>> order(extents.begin(), extents.end());
  std::erase_if(order, [](const auto& each) {
    const Extent& extent = each.second;
    const int side = std::min(extent.right - extent.left, extent.bottom - extent.top) + 1;
    return extent.area < kLeastThingPixels || side < kLeastThingSide;
  });
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second.area > b.second.area; });
  order.resize(std::min(order.size(), kMostThings));
  std::vector<LabelledBox> boxes;
  boxes.reserve(order.size());
  for (const auto& [label, extent] : order) {
    boxes.push_back(
        {label, {{extent.left, extent.top}, cv::Point(extent.right + 1, extent.bottom + 1)}});
  }
  return boxes;
}

// The pixels of one label, with what they say about its colour.
class Cutter {
 public:
  Cutter(const Picture& picture, const Regions& regions, const cv::Mat& labels)
      : picture_(picture), regions_(regions), labels_(labels) {
    for (const Region& region : regions.list) weights_.push_back(colour_weights(region.colour));
  }

  Thing cut_out(const LabelledBox& from) const {
    const cv::Rect& box = from.box;
    Thing thing{box.x, box.y, box.width, box.height, 0, {}, {}};
    for_pixels(from, [&](std::size_t at, bool mine) {
      if (!mine) return;
      ++thing.area;
      add_colour(at, thing.colours);
    });
    // Squared, so that outlines and windows do not blur the main colour.
    float sum = 0;
    for (float& share : thing.colours) sum += share *= share;
    for (float& share : thing.colours) share /= sum;
    const auto main = std::max_element(thing.colours.begin(), thing.colours.end());
    const auto name = static_cast<int>(main - thing.colours.begin());
    for_pixels(from, [&](std::size_t at, bool mine) {
      thing.mask.push_back(!mine ? 0 : name_at(at) == name ? 1 : 2);
    });
    return thing;
  }

 private:
  template <typename Use>
  void for_pixels(const LabelledBox& from, const Use& use) const {
    for (int y = from.box.y; y < from.box.y + from.box.height; ++y) {
      for (int x = from.box.x; x < from.box.x + from.box.width; ++x) {
        const int at = y * labels_.cols + x;
        use(static_cast<std::size_t>(at), labels_.at<std::uint16_t>(y, x) == from.label);
      }
    }
  }

  int name_at(std::size_t at) const {
    const std::uint8_t* pixel = picture_.pixels.data() + at * 3;
    return colour_name(pixel[0], pixel[1], pixel[2]);
  }

  void add_colour(std::size_t at, std::array<float, kColours>& shares) const {
    constexpr float kScattered = 0.25F;  // blends and outlines say less than even pixels
    const int region = regions_.of[at];
    if (region < 0) {
      shares[static_cast<std::size_t>(name_at(at))] += kScattered;
      return;
    }
    const auto& weights = weights_[static_cast<std::size_t>(region)];
    for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += weights[i];
  }

  const Picture& picture_;
  const Regions& regions_;
  const cv::Mat& labels_;
  std::vector<std::array<float, kColours>> weights_;  // by region
};

}  // namespace

Scene find_things(const Picture& picture) {
  const Regions regions = find_regions(picture);
  const std::vector<bool> background = find_background(regions, picture.width);
  Scene scene;
  cv::Mat foreground(picture.height, picture.width, CV_8U);
  for (std::size_t at = 0; at < regions.of.size(); ++at) {
    const int region = regions.of[at];
    const bool behind = region >= 0 && background[static_cast<std::size_t>(region)];
    foreground.data[at] = behind ? 0 : 1;
    scene.background.push_back(behind ? 1 : 0);
  }
  const cv::Mat labels = connected(foreground);
  const Cutter cutter(picture, regions, labels);
  for (const LabelledBox& box : boxes_by_size(labels)) scene.things.push_back(cutter.cut_out(box));
  return scene;
}

}  // namespace hinny
