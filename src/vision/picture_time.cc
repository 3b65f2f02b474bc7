#include "vision/picture_time.h"

#include <string>

#include "base/error.h"
#include "base/read_file.h"
#include "vision/picture_notes.h"
#include "vision/written_time.h"
#include "vision/xmp_time.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

// "IMG.jpg.xmp" or "IMG.xmp", as darktable and Lightroom name them.
std::string sidecar_of(const fs::path& file) {
  constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 24U;
  for (const fs::path& beside :
       {fs::path(file.string() + ".xmp"), fs::path(file).replace_extension(".xmp"),
        fs::path(file).replace_extension(".XMP")}) {
    std::error_code none;
    if (!fs::is_regular_file(beside, none)) continue;
    try {
      return read_file(beside, kMostBytes);
    } catch (const InputError&) {  // then it says nothing
    }
  }
  return "";
}

}  // namespace

std::optional<Taken> taken_at(const fs::path& file, const PictureNotes& notes) {
  for (const std::string* text : {&notes.original, &notes.digitized}) {
    if (const auto time = time_in_notes(*text)) return Taken{*time, TakenFrom::exif};
  }
  std::optional<std::int64_t> created;
  for (const std::string& xmp : {notes.xmp, notes.more_xmp, sidecar_of(file)}) {
    const XmpTimes times = xmp_times(xmp);
    if (times.taken) return Taken{*times.taken, TakenFrom::xmp};
    if (!created) created = times.created;
  }
  if (const auto time = time_in_notes(notes.written)) return Taken{*time, TakenFrom::exif};
  if (created) return Taken{*created, TakenFrom::xmp};
  if (const auto time = time_in_name(file.filename().string())) {
    return Taken{*time, TakenFrom::name};
  }
  return std::nullopt;
}

}  // namespace hinny
