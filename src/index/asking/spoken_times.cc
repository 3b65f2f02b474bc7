#include "index/asking/spoken_times.h"

#include <array>
#include <charconv>
#include <chrono>
#include <utility>

namespace hinny {
namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::int64_t kDay = 86'400;

std::int64_t seconds_of(sys_days day) { return day.time_since_epoch().count() * kDay; }

sys_days day_at(std::int64_t seconds) {
  const std::int64_t day = seconds / kDay - (seconds % kDay < 0 ? 1 : 0);
  return sys_days(days(day));
}

// So many months from the first of one.
Period from_month(int year, unsigned month, int count) {
  const std::chrono::year_month begin = std::chrono::year(year) / std::chrono::month(month);
  return {seconds_of(sys_days(begin / 1)), seconds_of(sys_days((begin + months(count)) / 1))};
}

// The latest of one a year that has begun or, of `last`, is over.
template <typename InYear>
Period latest(std::int64_t now, bool last, const InYear& in_year) {
  int year = year_at(now) + 1;
  Period period = in_year(year);
  while ((last ? period.end : period.begin + 1) > now) period = in_year(--year);
  return period;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A number that `text` begins with, of so many digits at most, is taken off.
std::optional<int> take_digits(std::string_view& text, std::size_t most) {
  int number = 0;
  std::size_t size = 0;
  while (size < most && size < text.size() && is_digit(text[size])) ++size;
  if (size == 0) return std::nullopt;
  std::from_chars(text.data(), text.data() + size, number);
  text.remove_prefix(size);
  return number;
}

bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// What follows a year: a month or a season of it.
Period chinese_part(std::string_view& text, int year) {
  constexpr std::array<std::string_view, 4> kSeasons = {"春天", "夏天", "秋天", "冬天"};
  take(text, "的");
  for (unsigned season = 0; season < kSeasons.size(); ++season) {
    if (take(text, kSeasons[season])) return season_in(year, season);
  }
  std::string_view rest = text;
  const auto month = take_digits(rest, 2);
  if (month && *month >= 1 && *month <= 12 && (take(rest, "月份") || take(rest, "月"))) {
    text = rest;
    return month_in(year, static_cast<unsigned>(*month));
  }
  return year_period(year);
}

std::optional<Period> take_chinese(std::string_view& text, std::int64_t now) {
  const int year = year_at(now);
  for (const auto& [word, ago] :
       {std::pair<std::string_view, int>("去年", 1), {"前年", 2}, {"今年", 0}}) {
    if (take(text, word)) return chinese_part(text, year - ago);
  }
  if (take(text, "昨天")) return day_of(now, 1);
  if (take(text, "今天")) return day_of(now, 0);
  for (const std::string_view word : {"上个星期", "上星期", "上周"}) {
    if (take(text, word)) return week_of(now, true);
  }
  if (take(text, "上个月")) return month_of(now, true);
  std::string_view rest = text;
  const auto digits = take_digits(rest, 4);
  if (!digits || *digits < 1840 || *digits > 2199 || !take(rest, "年")) return std::nullopt;
  text = rest;
  return chinese_part(text, *digits);
}

}  // namespace

Period year_period(int year) { return from_month(year, 1, 12); }
Period month_in(int year, unsigned month) { return from_month(year, month, 1); }
Period season_in(int year, unsigned season) { return from_month(year, 3 * season + 3, 3); }

int year_at(std::int64_t seconds) { return int(year_month_day(day_at(seconds)).year()); }

Period year_of(std::int64_t now, bool last) { return year_period(year_at(now) - (last ? 1 : 0)); }

Period month_of(std::int64_t now, bool last) {
  const year_month_day day(day_at(now));
  std::chrono::year_month month = day.year() / day.month();
  if (last) month -= months(1);
  return month_in(int(month.year()), unsigned(month.month()));
}

Period week_of(std::int64_t now, bool last) {
  const sys_days today = day_at(now);
  const sys_days monday = today - (std::chrono::weekday(today) - std::chrono::Monday);
  const sys_days begin = last ? monday - days(7) : monday;
  return {seconds_of(begin), seconds_of(begin + days(7))};
}

Period day_of(std::int64_t now, int days_ago) {
  const sys_days day = day_at(now) - days(days_ago);
  return {seconds_of(day), seconds_of(day + days(1))};
}

Period month_before(std::int64_t now, unsigned month, bool last) {
  return latest(now, last, [month](int year) { return month_in(year, month); });
}

Period season_before(std::int64_t now, unsigned season, bool last) {
  return latest(now, last, [season](int year) { return season_in(year, season); });
}

std::optional<ChineseTime> chinese_time(std::string_view sentence, std::int64_t now) {
  for (std::size_t at = 0; at < sentence.size(); ++at) {
    const bool may_begin =
        static_cast<unsigned char>(sentence[at]) >= 0xE4 || is_digit(sentence[at]);
    if (!may_begin) continue;
    const bool inside_digits = at > 0 && is_digit(sentence[at - 1]);
    if (inside_digits) continue;
    std::string_view text = sentence.substr(at);
    if (const auto period = take_chinese(text, now)) {
      take(text, "拍的");
      take(text, "的");
      return ChineseTime{at, sentence.size() - text.size(), *period};
    }
  }
  return std::nullopt;
}

}  // namespace hinny
