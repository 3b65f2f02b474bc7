#include "vision/preset.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "data/encoder_sidecar.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using Resize = Preprocess::Resize;

constexpr int kLeastSide = 8;
constexpr int kMostSide = 2048;

constexpr std::array<double, 3> kImageNetMean = {0.485, 0.456, 0.406};
constexpr std::array<double, 3> kImageNetDeviation = {0.229, 0.224, 0.225};
constexpr std::array<double, 3> kHalf = {0.5, 0.5, 0.5};

// The same table stands in docs/formats/encoder-sidecar.md; a test compares them.
constexpr std::array<Preset, 4> kPresets = {{
    {"clip",
     "CLIP and most of OpenCLIP",
     224,
     Resize::shorter,
     224,
     Preprocess::Interpolation::bicubic,
     {0.48145466, 0.4578275, 0.40821073},
     {0.26862954, 0.26130258, 0.27577711},
     "open_clip: constants.py OPENAI_DATASET_MEAN, OPENAI_DATASET_STD; pretrained.py _pcfg"},
    {"dinov2", "DINOv2", 256, Resize::shorter, 224, Preprocess::Interpolation::bicubic,
     kImageNetMean, kImageNetDeviation,
     "dinov2: data/transforms.py make_classification_eval_transform"},
    {"siglip", "SigLIP, SigLIP 2 of fixed size", 224, Resize::squash, 224,
     Preprocess::Interpolation::bicubic, kHalf, kHalf,
     "open_clip: constants.py INCEPTION_MEAN, INCEPTION_STD; pretrained.py _slpcfg"},
    {"torchvision", "torchvision's ImageNet classifiers", 256, Resize::shorter, 224,
     Preprocess::Interpolation::bilinear, kImageNetMean, kImageNetDeviation,
     "torchvision: transforms/_presets.py ImageClassification"},
}};

int side(std::string_view text, std::string_view wish) {
  int number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < kLeastSide ||
      number > kMostSide) {
    throw InputError(fmt::format("--preset '{}'", wish),
                     fmt::format("a size from {} to {} after '@'", kLeastSide, kMostSide));
  }
  return number;
}

Preprocess of(const Preset& preset) {
  Preprocess how;
  how.size = preset.size;
  how.resize = preset.resize;
  how.crop = preset.crop;
  how.interpolation = preset.interpolation;
  for (std::size_t i = 0; i < 3; ++i) {
    how.mean[i] = static_cast<float>(255 * preset.mean[i]);
    how.scale[i] = static_cast<float>(1 / (255 * preset.deviation[i]));
  }
  return how;
}

}  // namespace

std::span<const Preset> presets() { return kPresets; }

Preprocess preset(std::string_view wish) {
  const std::size_t at = wish.find('@');
  const std::string_view name = wish.substr(0, at);
  std::vector<std::string_view> names;
  for (const Preset& known : kPresets) {
    names.push_back(known.name);
    if (known.name != name) continue;
    Preprocess how = of(known);
    if (at == std::string_view::npos) return how;
    const int crop = side(wish.substr(at + 1), wish);
    how.size = static_cast<int>(std::lround(static_cast<double>(how.size) * crop / how.crop));
    how.crop = crop;
    return how;
  }
  throw InputError(fmt::format("no preset '{}'{}", name, did_you_mean(name, names)),
                   fmt::format("{}, with @SIZE or without", fmt::join(names, ", ")));
}

PresetEncoder open_with_preset(const std::string& network, std::string_view wish) {
  Preprocess how = preset(wish);
  if (fs::path(network).extension() != ".onnx") {
    throw InputError(fmt::format("--preset for '{}'", network), "a network, FILE.onnx");
  }
  const fs::path beside = sidecar_beside(network);
  if (!beside.empty()) {
    const Preprocess said = preprocess_beside(network);
    how.input = said.input;
    how.output = said.output;
    if (how != said) {
      throw InputError(beside, fmt::format("says something else than --preset {}", wish),
                       "one of the two: this file, or --preset without it");
    }
  }
  if (!fs::is_regular_file(network)) throw InputError(fs::path(network), "no such file", "");
  return {open_onnx_encoder(network, how), beside.empty() ? preprocess_text(how) : ""};
}

}  // namespace hinny
