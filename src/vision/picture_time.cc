#include "vision/picture_time.h"

#include <string>

#include "vision/picture_notes.h"
#include "vision/written_time.h"
#include "vision/xmp_facts.h"

namespace hinny {
namespace fs = std::filesystem;

std::optional<Taken> taken_at(const fs::path& file, const PictureNotes& notes) {
  for (const std::string* text : {&notes.original, &notes.digitized}) {
    if (const auto time = time_in_notes(*text)) return Taken{*time, TakenFrom::exif};
  }
  std::optional<std::int64_t> created;
  for (const std::string& xmp : {notes.xmp, notes.more_xmp, xmp_beside(file)}) {
    const XmpFacts facts = xmp_facts(xmp);
    if (facts.taken) return Taken{*facts.taken, TakenFrom::xmp};
    if (!created) created = facts.created;
  }
  if (const auto time = time_in_notes(notes.written)) return Taken{*time, TakenFrom::exif};
  if (created) return Taken{*created, TakenFrom::xmp};
  if (const auto time = time_in_name(file.filename().string())) {
    return Taken{*time, TakenFrom::name};
  }
  return std::nullopt;
}

}  // namespace hinny
