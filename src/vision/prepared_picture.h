// Decoded pictures on their way to several encoders.
#pragma once

#include <span>
#include <vector>

#include "vision/picture_encoder.h"

namespace hinny {

using PreparedPicture = std::vector<std::vector<float>>;  // an input for each encoder

// Safe to call from several threads.
PreparedPicture prepared_for(std::span<PictureEncoder* const> encoders, const Picture& picture);

// The features of each, all encoders' side by side: [pictures, the sum of row_size()]. One caller
// at a time; uses thread_count() threads. The inputs are given away.
std::vector<float> encode_prepared(std::span<PictureEncoder* const> encoders,
                                   std::vector<PreparedPicture> pictures);

}  // namespace hinny
