// --preset of the verbs that take a network.
#pragma once

#include <memory>
#include <string>

#include "vision/picture_encoder.h"

namespace hinny {

// open_with_preset; says on stderr what it wrote.
std::unique_ptr<PictureEncoder> encoder_by_preset(const std::string& network,
                                                  const std::string& preset);

// The presets, for --help.
std::string preset_help();

}  // namespace hinny
