#include "cli/picture_reader.h"

#include <fmt/format.h>

#include "base/loaded_builds.h"
#include "cli/vision/open_encoders.h"
#include "server/picture_reader.h"
#include "vision/encode_pictures.h"
#include "vision/picture_time.h"
#include "vision/reader_version.h"

namespace hinny {

OpenPictures picture_opener() { return open_picture_encoders; }

PictureReader file_reader(const Model& model, const std::vector<std::string>& encoders) {
  const auto encode = [&model, encoders](std::span<const std::filesystem::path> files,
                                         const TakeEncoded& take) {
    const auto opened = open_encoders(model, encoders);
    std::vector<PictureEncoder*> plain;
    for (const auto& encoder : opened) plain.push_back(encoder.get());
    const int least = least_side(plain);
    encode_pictures(
        files.size(), [&](std::size_t i) { return read_picture(files[i], {.shorter = least}); },
        plain, {.stopped = "stopped; the same command goes on where this was"}, take);
  };
  return {encode, taken_at, fmt::format("{}, build {}", picture_reader_version(), loaded_builds())};
}

}  // namespace hinny
