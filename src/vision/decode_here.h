// Picture files decoded in this process: what picture.h and picture_notes.h say, by the libraries.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "vision/byte_source.h"
#include "vision/picture.h"
#include "vision/picture_notes.h"

namespace hinny {

using TakePicture = std::function<void(Picture&&)>;
// Does the work while so many bytes are held for it.
using HoldMemory = std::function<void(std::uint64_t bytes, const std::function<void()>& work)>;

// These throw RequestError, and what reading the bytes throws. Safe to call from several threads.
// `at`: of a picture that moves, one of its moments.
constexpr std::int64_t kNoMoment = -1;
void decode_here(const ByteSource& file, const Enough& enough, const HoldMemory& hold,
                 const TakePicture& take, std::int64_t at = kNoMoment);
std::vector<std::int64_t> scenes_here(const ByteSource& file, int most, const HoldMemory& hold);
PictureSize size_here(const ByteSource& file);
PictureSize shown_size_here(const ByteSource& file);  // turned
PictureNotes notes_here(const ByteSource& file);

}  // namespace hinny
