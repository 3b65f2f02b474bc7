// Times as people name them, seen from now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/day.h"

namespace hinny {

// All in seconds on a clock without time zones (base/day.h). Months are 1 to 12. Seasons are those
// of the northern half of the earth, three months each: 0 spring (from March), 1 summer, 2 autumn,
// 3 winter, which begins in December of its year.
Period year_period(int year);
Period month_in(int year, unsigned month);
Period season_in(int year, unsigned season);
int year_at(std::int64_t seconds);

// `last`: the one before that of now. Weeks begin on Monday.
Period year_of(std::int64_t now, bool last);
Period month_of(std::int64_t now, bool last);
Period week_of(std::int64_t now, bool last);
Period day_of(std::int64_t now, int days_ago);

// The latest one that has begun; `last`: that is over.
Period month_before(std::int64_t now, unsigned month, bool last);
Period season_before(std::int64_t now, unsigned season, bool last);

// A time in Chinese and where it stands, in bytes: 2019年, 2019年6月, 去年, 去年夏天, 今年, 上周,
// 上个月, 昨天, 今天.
struct ChineseTime {
  std::size_t begin = 0, end = 0;
  Period period;
};
std::optional<ChineseTime> chinese_time(std::string_view sentence, std::int64_t now);

}  // namespace hinny
