#include "base/day.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <ctime>

namespace hinny {
namespace {

namespace chrono = std::chrono;
constexpr std::int64_t kMinute = 60, kDay = 24 * 3600;
constexpr std::int64_t kFirst = -62'135'596'800;  // 0001-01-01 00:00:00
constexpr std::int64_t kLast = 253'402'300'799;   // 9999-12-31 23:59:59

std::int64_t seconds_of(chrono::year_month_day day) {
  return chrono::sys_days(day).time_since_epoch().count() * kDay;
}

}  // namespace

std::optional<Period> parse_period(std::string_view text) {
  // Digits of each part, and what stands before it.
  constexpr std::array<std::pair<std::size_t, std::string_view>, 6> kParts = {
      {{4, ""}, {2, "-"}, {2, "-"}, {2, " T"}, {2, ":"}, {2, ":"}}};
  std::array<int, 6> parts = {0, 1, 1, 0, 0, 0};
  std::size_t known = 0;
  for (const auto& [digits, before] : kParts) {
    if (text.empty() && known > 0) break;
    if (!before.empty()) {
      if (before.find(text.front()) == std::string_view::npos) return std::nullopt;
      text.remove_prefix(1);
    }
    if (text.size() < digits) return std::nullopt;
    const char* end = text.data() + digits;
    if (std::from_chars(text.data(), end, parts[known]).ptr != end || parts[known] < 0) {
      return std::nullopt;
    }
    text.remove_prefix(digits);
    ++known;
  }
  const auto [year, month, day, hour, minute, second] = parts;
  const chrono::year_month_day date{chrono::year(year), chrono::month(static_cast<unsigned>(month)),
                                    chrono::day(static_cast<unsigned>(day))};
  // An hour alone is no time that people write.
  if (!text.empty() || known == 4 || year < 1 || !date.ok() || hour > 23 || minute > 59 ||
      second > 60) {
    return std::nullopt;
  }
  const std::int64_t begin = seconds_of(date) + hour * 3600 + minute * kMinute + second;
  switch (known) {
    case 1:
      return Period{begin, seconds_of(date + chrono::years(1))};
    case 2:
      return Period{begin, seconds_of(date + chrono::months(1))};
    case 3:
      return Period{begin, begin + kDay};
    case 5:
      return Period{begin, begin + kMinute};
    default:
      return Period{begin, begin + 1};
  }
}

std::string time_text(std::int64_t seconds) {
  const chrono::sys_seconds time{chrono::seconds(std::clamp(seconds, kFirst, kLast))};
  const auto midnight = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(midnight);
  const chrono::hh_mm_ss clock(time - midnight);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02}:{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

std::int64_t local_time(std::int64_t seconds) {
  const std::time_t moment = std::clamp(seconds, kFirst, kLast);
  std::tm local{};
  if (::localtime_r(&moment, &local) == nullptr) return moment;
  return std::clamp(moment + local.tm_gmtoff, kFirst, kLast);
}

}  // namespace hinny
