#include "vision/picture_time.h"

#include <libexif/exif-data.h>

#include <array>
#include <memory>
#include <string>

#include "base/day.h"

namespace hinny {
namespace {

struct Release {
  void operator()(ExifData* data) const { exif_data_unref(data); }
};

}  // namespace

std::optional<std::int64_t> taken_at(const std::filesystem::path& file) {
  const std::unique_ptr<ExifData, Release> data(exif_data_new_from_file(file.c_str()));
  if (data == nullptr) return std::nullopt;
  for (const ExifTag tag : {EXIF_TAG_DATE_TIME_ORIGINAL, EXIF_TAG_DATE_TIME_DIGITIZED}) {
    ExifEntry* entry = exif_content_get_entry(data->ifd[EXIF_IFD_EXIF], tag);
    if (entry == nullptr) continue;
    std::array<char, 64> text{};
    exif_entry_get_value(entry, text.data(), text.size());
    // "2024:06:15 10:30:00"
    std::string time = text.data();
    if (time.size() < 19) continue;
    time[4] = time[7] = '-';
    if (const auto period = parse_period(time.substr(0, 19))) return period->begin;
  }
  return std::nullopt;
}

}  // namespace hinny
