// Many films, or pictures that move -> features of their frames.
#pragma once

#include <filesystem>
#include <span>

#include "vision/picture_encoder.h"
#include "vision/picture_reader.h"

namespace hinny {

// `most` frames of each, or fewer. Several films are decoded at once, on thread_count() processors;
// memory stays at what the encoders see of a few hundred frames. What `take` throws ends it, as
// Ctrl-C does (Interrupted).
void encode_films(std::span<const std::filesystem::path> films, int most,
                  std::span<PictureEncoder* const> encoders, const TakeFilm& take);

}  // namespace hinny
