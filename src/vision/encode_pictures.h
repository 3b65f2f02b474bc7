// Many pictures -> features: while one batch goes through the networks, the next one is decoded.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "vision/picture_encoder.h"

namespace hinny {

// The i-th picture; throws InputError when it cannot be read. Called by several threads at once.
using PictureAt = std::function<Picture(std::size_t)>;

// Takes the features of the i-th picture, all encoders' side by side, or, where it could not be
// read, none. `note`: why not; or, with features, what of the picture is missing, where something
// is. Called once for each picture, in order.
using TakeFeatures =
    std::function<void(std::size_t i, std::span<const float> row, const std::string& note)>;

struct EncodeOptions {
  std::size_t batch = 32;           // pictures that go through a network together
  std::string stopped = "stopped";  // what Interrupted says
};

// Uses thread_count() threads. Memory stays at two batches. What `take` throws ends it, as Ctrl-C
// does (Interrupted).
void encode_pictures(std::size_t count, const PictureAt& picture,
                     std::span<PictureEncoder* const> encoders, const EncodeOptions& options,
                     const TakeFeatures& take);

}  // namespace hinny
