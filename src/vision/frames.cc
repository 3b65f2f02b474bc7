#include "vision/frames.h"

#include "vision/byte_source.h"

namespace hinny {
namespace {

bool is_picture(const std::filesystem::path& file) {
  const PictureFormat format = picture_format(FileBytes(file).head(64));
  return format == PictureFormat::gif || format == PictureFormat::webp;
}

}  // namespace

void read_frames(const std::filesystem::path& file, int most, int enough, const TakeFrame& take) {
  if (!is_picture(file)) return read_film_frames(file, most, take);
  for (const std::int64_t at : scenes_of_picture(file, most)) {
    take(at, read_picture_at(file, at, {.shorter = enough}));
  }
}

Picture read_frame(const std::filesystem::path& file, std::int64_t at, int longest) {
  if (!is_picture(file)) return read_film_frame(file, at, longest);
  return read_picture_at(file, at, {.longer = longest});
}

}  // namespace hinny
