// How a picture becomes a network's input: docs/formats/encoder-sidecar.md.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "vision/picture.h"

namespace hinny {

struct Preprocess {
  enum class Resize {
    squash,   // to size x size, whatever the shape was
    shorter,  // the shorter side becomes `size`, the shape stays
  };

  enum class Interpolation {
    area,      // the mean of what falls into a pixel; bilinear where the picture grows
    bilinear,  // these two: as Pillow, and so torchvision and transformers, resize pictures
    bicubic,
  };

  int size = 0;
  Resize resize = Resize::squash;
  Interpolation interpolation = Interpolation::area;
  int crop = 0;                 // side of the square that the network sees; <= size
  std::array<float, 3> mean{};  // per channel, in the network's order: (x - mean) * scale
  std::array<float, 3> scale{1, 1, 1};
  // Where a crop would begin between two pixels: at the even one, as torchvision has it, or at the
  // lower one, as transformers.
  bool middle_down = false;
  bool rgb = true;        // else blue comes first
  bool ten_crop = false;  // four corners, the centre and their mirror images, outputs averaged
  std::string input;      // empty: the network's first
  std::string output;     // empty: its last

  int crops() const { return ten_crop ? 10 : 1; }
  bool operator==(const Preprocess&) const = default;
};

// From the JSON text of `file`. An unknown key, a wrong type or a number out of range is an
// InputError that names the file.
Preprocess parse_preprocess(std::string_view json_text, const std::filesystem::path& file);

// JSON text that parse_preprocess reads as `how`.
std::string preprocess_text(const Preprocess& how);

// What the file beside a network says (data/encoder_sidecar.h). When none is there, an InputError
// shows what to write.
Preprocess preprocess_beside(const std::filesystem::path& network);

// The network's input for one picture: [crops, 3, crop, crop].
std::vector<float> prepare(const Picture& picture, const Preprocess& how);

}  // namespace hinny
