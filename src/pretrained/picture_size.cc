#include "pretrained/picture_size.h"

#include <fmt/format.h>

#include "base/error.h"
#include "pretrained/source_folder.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestPicture = 4096;

// 224, [224, 224], {"height": 224, "width": 224} or {"shortest_edge": 224}.
std::size_t side_of(const JsonNode& size) {
  std::vector<JsonNode> sides;
  if (size.is_number()) {
    sides.push_back(size);
  } else if (size.is_object()) {
    for (const auto& [key, side] : size.members()) {
      if (key != "height" && key != "width" && key != "shortest_edge") {
        size.refuse(fmt::format("has {}", key), "height and width, or shortest_edge");
      }
      sides.push_back(side);
    }
  } else {
    sides = size.items();
  }
  if (sides.empty()) size.refuse("is empty", "pixels");
  const std::int64_t side = sides.front().integer(1, kLargestPicture);
  if (sides.back().integer(1, kLargestPicture) != side) {
    size.refuse("is no square", "one; others are not supported");
  }
  return static_cast<std::size_t>(side);
}

Preprocess::Interpolation interpolation_of(const JsonNode& node, std::string_view name) {
  if (name == "bicubic") return Preprocess::Interpolation::bicubic;
  if (name == "bilinear") return Preprocess::Interpolation::bilinear;
  node.refuse(fmt::format("has the interpolation '{}'", name), "bicubic or bilinear");
}

void set_colours(const JsonNode& node, const char* mean, const char* deviation,
                 const std::array<double, 3>& otherwise_mean,
                 const std::array<double, 3>& otherwise_deviation, Preprocess& how) {
  constexpr double kWhite = 255;
  const auto numbers = [&](const char* key, std::array<double, 3> numbers, double least) {
    const auto list = node.find(key);
    if (!list || list->is_null()) return numbers;
    const std::vector<JsonNode> items = list->items();
    if (items.size() != 3) list->refuse(fmt::format("has {} numbers", items.size()), "3");
    for (std::size_t i = 0; i < 3; ++i) numbers[i] = items[i].number(least, 1000);
    return numbers;
  };
  const std::array<double, 3> means = numbers(mean, otherwise_mean, -1000);
  const std::array<double, 3> deviations = numbers(deviation, otherwise_deviation, 1e-6);
  for (std::size_t i = 0; i < 3; ++i) {
    how.mean[i] = static_cast<float>(kWhite * means[i]);
    how.scale[i] = static_cast<float>(1 / (kWhite * deviations[i]));
  }
}

constexpr std::array<double, 3> kClipMean = {0.48145466, 0.4578275, 0.40821073};
constexpr std::array<double, 3> kClipDeviation = {0.26862954, 0.26130258, 0.27577711};

// transformers' image processors.
Preprocess of_transformers(const JsonNode& node, std::size_t side) {
  Preprocess how;
  how.middle_down = true;
  for (const char* key : {"do_resize", "do_rescale", "do_normalize"}) {
    if (!flag_or(node, key, true)) {
      node.refuse(fmt::format("has {} false", key), "true: others are not supported");
    }
  }
  constexpr double kUsual = 1.0 / 255, kNear = 1e-6;
  if (std::abs(number_or(node, "rescale_factor", kUsual) - kUsual) > kNear) {
    node.refuse("has another rescale_factor", "1 / 255");
  }
  constexpr std::size_t kBilinear = 2, kBicubic = 3;  // Pillow's numbers
  const std::size_t resample = size_or(node, "resample", kBicubic);
  if (resample != kBilinear && resample != kBicubic) {
    node.refuse(fmt::format("has resample {}", resample), "2 (bilinear) or 3 (bicubic)");
  }
  how.interpolation = resample == kBicubic ? Preprocess::Interpolation::bicubic
                                           : Preprocess::Interpolation::bilinear;
  const auto size = node.find("size");
  // A number is the shorter side of those that cut, and both sides of those that do not.
  const bool cuts = flag_or(node, "do_center_crop", node.find("crop_size").has_value());
  const bool shorter = size && (size->is_object() ? size->find("shortest_edge").has_value() : cuts);
  how.size = static_cast<int>(size ? side_of(*size) : side);
  how.resize = shorter ? Preprocess::Resize::shorter : Preprocess::Resize::squash;
  const auto crop = node.find("crop_size");
  how.crop = cuts && crop ? static_cast<int>(side_of(*crop)) : how.size;
  if (shorter && !cuts) node.refuse("has a shortest_edge and no crop", "do_center_crop");
  set_colours(node, "image_mean", "image_std", {0.5, 0.5, 0.5}, {0.5, 0.5, 0.5}, how);
  return how;
}

// open_clip's, which photo servers took over.
Preprocess of_open_clip(const JsonNode& node, std::size_t side) {
  Preprocess how;
  const auto size = node.find("size");
  how.size = how.crop = static_cast<int>(size ? side_of(*size) : side);
  const std::string resize = string_or(node, "resize_mode", "shortest");
  if (resize != "shortest" && resize != "squash") {
    node.refuse(fmt::format("has resize_mode '{}'", resize), "shortest or squash");
  }
  how.resize = resize == "shortest" ? Preprocess::Resize::shorter : Preprocess::Resize::squash;
  how.interpolation = interpolation_of(node, string_or(node, "interpolation", "bicubic"));
  set_colours(node, "mean", "std", kClipMean, kClipDeviation, how);
  return how;
}

constexpr const char* kTransformersFile = "preprocessor_config.json";
constexpr const char* kPhotoServersFile = "preprocess_cfg.json";

}  // namespace

Preprocess read_preprocess(const fs::path& folder, std::size_t side) {
  if (const auto node = read_json(folder, kTransformersFile)) return of_transformers(*node, side);
  if (const auto node = read_json(folder, kPhotoServersFile)) return of_open_clip(*node, side);
  if (const auto root = read_json(folder, "open_clip_config.json")) {
    if (const auto node = root->find("preprocess_cfg")) return of_open_clip(*node, side);
  }
  throw InputError(folder, "nothing says how pictures are prepared",
                   fmt::format("{}, {}, or open_clip_config.json with preprocess_cfg",
                               kTransformersFile, kPhotoServersFile));
}

std::optional<std::size_t> size_that_is_seen(const fs::path& folder) {
  const auto node = read_json(folder, kTransformersFile);
  if (!node) return std::nullopt;
  return static_cast<std::size_t>(of_transformers(*node, 0).crop);
}

}  // namespace hinny
