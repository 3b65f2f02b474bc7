// Times as cameras, programs and messengers write them, which is more ways than any standard has.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace hinny {

// All of these are seconds since 1970 of a clock without time zones (base/day.h), from 1826, the
// first photograph, to the end of next year; nullopt for anything else.

// In a picture's notes (EXIF, XMP): "2011:03:04 05:06:07", with other separators or blanks instead
// of zeros, in ISO 8601, with fractions and a zone, which is left alone: the clock was the
// camera's. Hour 24 is the first hour of that day, as clocks that count from 1 write it. A day
// alone is its beginning; so is a year or a month that nothing follows.
std::optional<std::int64_t> time_in_notes(std::string_view text);

// In the name of a file, without its folder: a day, and the time behind it if one is there
// (IMG_20110304_050607.jpg, IMG-20110304-WA0001.jpg, Screenshot 2011-03-04 at 5.06.07 PM.png), or
// the milliseconds since 1970 of some messengers.
std::optional<std::int64_t> time_in_name(std::string_view name);

}  // namespace hinny
