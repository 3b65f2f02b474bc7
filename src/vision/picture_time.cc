#include "vision/picture_time.h"

#include <libexif/exif-data.h>

#include <array>
#include <fstream>
#include <memory>
#include <string>

#include "base/day.h"
#include "base/error.h"
#include "base/files.h"
#include "vision/heif.h"
#include "vision/picture.h"

namespace hinny {
namespace {

struct Release {
  void operator()(ExifData* data) const { exif_data_unref(data); }
};
using Notes = std::unique_ptr<ExifData, Release>;

PictureFormat format_of(const std::filesystem::path& file) {
  std::string head(64, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<std::size_t>(stream.gcount()));
  return picture_format(std::as_bytes(std::span(head)));
}

Notes notes_in(const std::string& exif) {
  if (exif.empty()) return nullptr;
  return Notes(exif_data_new_from_data(reinterpret_cast<const unsigned char*>(exif.data()),
                                       static_cast<unsigned>(exif.size())));
}

// A TIFF file is itself what stands behind "Exif" in others.
Notes notes_of(const std::filesystem::path& file) try {
  switch (format_of(file)) {
    case PictureFormat::heif: {
      const std::string bytes = read_file(file, kMostPictureBytes);
      return notes_in(heif_exif(std::as_bytes(std::span(bytes))));
    }
    case PictureFormat::tiff:
      return notes_in(std::string("Exif\0\0", 6) + read_file(file, kMostPictureBytes));
    case PictureFormat::jpeg:
      return Notes(exif_data_new_from_file(file.c_str()));
    default:
      return nullptr;
  }
} catch (const InputError&) {
  return nullptr;
}

}  // namespace

std::optional<std::int64_t> taken_at(const std::filesystem::path& file) {
  const Notes data = notes_of(file);
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
