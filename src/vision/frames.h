// Frames of films and of pictures that move (GIF and WebP), whatever reads them.
#pragma once

#include <cstdint>
#include <filesystem>

#include "vision/film_program.h"

namespace hinny {

// Frames that stand for the file, `most` (film::kMostFrames at most) or fewer, in their order: one
// of each scene. `enough`: of their shorter side, in pixels; 0: all. Throws and is safe to call as
// read_film_frames, or as read_picture.
void read_frames(const std::filesystem::path& file, int most, int enough, const TakeFrame& take);

// The frame of a moment that read_frames gave, the longer side `longest` at most.
Picture read_frame(const std::filesystem::path& file, std::int64_t at, int longest);

}  // namespace hinny
