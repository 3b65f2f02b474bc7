// Many pictures -> features: while one batch goes through the networks, the next one is decoded.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "vision/picture_encoder.h"
#include "vision/picture_reader.h"

namespace hinny {

struct EncodeOptions {
  std::size_t batch = 32;           // pictures that go through a network together
  std::string stopped = "stopped";  // what Interrupted says
};

// `file` says where the i-th picture is, to several threads at once. Uses thread_count() threads.
// Memory stays at two batches. What `take` throws ends it, as Ctrl-C
// does (Interrupted).
void encode_pictures(std::size_t count,
                     const std::function<std::filesystem::path(std::size_t i)>& file,
                     std::span<PictureEncoder* const> encoders, const EncodeOptions& options,
                     const TakeFeatures& take);

}  // namespace hinny
