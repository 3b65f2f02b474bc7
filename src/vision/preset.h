// How pictures are prepared for the networks that people have, by name.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "vision/picture_encoder.h"
#include "vision/preprocess.h"

namespace hinny {

struct Preset {
  std::string_view name;
  std::string_view networks;  // that were trained so
  int size;                   // as in Preprocess
  Preprocess::Resize resize;
  int crop;
  Preprocess::Interpolation interpolation;
  std::array<double, 3> mean;  // of red, green and blue from 0 to 1, as published
  std::array<double, 3> deviation;
  std::string_view source;  // where all of this is published
};

// In the order of their names.
std::span<const Preset> presets();

// "clip", or "clip@336": as the preset, for a network that sees 336 x 336 pixels. Throws
// InputError.
Preprocess preset(std::string_view wish);

// open_encoder with a preset for FILE.onnx; writes nothing. Throws InputError where a sidecar lies
// beside the network that says something else (input and output aside, which a preset leaves open),
// or the network does not run so.
struct PresetEncoder {
  std::unique_ptr<PictureEncoder> encoder;
  // What a sidecar says for whatever reads this network later; empty where one lies there.
  std::string sidecar;
};
PresetEncoder open_with_preset(const std::string& network, std::string_view wish);

}  // namespace hinny
