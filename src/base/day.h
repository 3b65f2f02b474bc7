// Times as people write them: "2024", "2024-06", "2024-06-15", "2024-06-15 10:30:00".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hinny {

// From `begin` up to, but without, `end`: seconds since 1970 on a clock without time zones.
struct Period {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// A year, month, day, minute or second; 'T' may stand for the blank. nullopt for anything else, and
// for days that no calendar has. Years 1 to 9999.
std::optional<Period> parse_period(std::string_view text);

// "2024-06-15 10:30:00"; what lies outside of the years 1 to 9999 is their first or last second.
std::string time_text(std::int64_t seconds);

// Local time in this process's time zone at a moment (seconds since 1970 in UTC), in seconds as
// above.
std::int64_t local_time(std::int64_t seconds);

}  // namespace hinny
