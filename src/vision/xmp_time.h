// When a picture was taken, by XMP: the XML that programs write into pictures and beside them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hinny {

struct XmpTimes {
  std::optional<std::int64_t> taken;    // exif:DateTimeOriginal, photoshop:DateCreated, ...
  std::optional<std::int64_t> created;  // xmp:CreateDate, which may be the file's own
};

// Of XML that is broken, what stands before the fault. What declares entities is read up to there.
XmpTimes xmp_times(std::string_view xmp);

}  // namespace hinny
