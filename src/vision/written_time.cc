#include "vision/written_time.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <string>

#include "base/day.h"

namespace hinny {
namespace {

namespace chrono = std::chrono;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

int year_of(chrono::sys_days day) { return static_cast<int>(chrono::year_month_day(day).year()); }

struct Moment {
  int year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0;

  bool has_clock() const { return hour <= 24 && minute <= 59 && second <= 60; }
  std::optional<std::int64_t> seconds() const {
    constexpr int kFirst = 1826;
    const auto today = chrono::floor<chrono::days>(chrono::system_clock::now());
    const chrono::year_month_day date{chrono::year(year),
                                      chrono::month(static_cast<unsigned>(month)),
                                      chrono::day(static_cast<unsigned>(day))};
    if (!date.ok() || year < kFirst || year > year_of(today) + 1) return std::nullopt;
    const std::int64_t midnight =
        chrono::seconds(chrono::sys_days(date).time_since_epoch()).count();
    return midnight + (hour % 24) * 3600 + minute * 60 + second;
  }
};

// Takes numbers from the front of a text.
class TimeNumbers {
 public:
  explicit TimeNumbers(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  std::string_view rest() const { return text_; }
  void skip(std::string_view set) {
    while (!text_.empty() && is_one_of(text_.front(), set)) text_.remove_prefix(1);
  }
  // Of so many digits at most; -1 where there is none.
  int next(std::size_t digits) {
    std::size_t count = 0;
    while (count < std::min(digits, text_.size()) && is_digit(text_[count])) ++count;
    int value = -1;
    std::from_chars(text_.data(), text_.data() + count, value);
    text_.remove_prefix(count);
    return value;
  }
  // A run of exactly so many.
  int exactly(std::size_t digits) {
    const auto run = std::ranges::find_if_not(text_, is_digit) - text_.begin();
    return static_cast<std::size_t>(run) == digits ? next(digits) : -1;
  }

 private:
  std::string_view text_;
};

// "PM" behind a time of twelve hours.
void apply_half_of_day(std::string_view behind, int& hour) {
  for (const std::string_view blank : {" ", "\u202f", "\u00a0"}) {
    if (behind.starts_with(blank)) {
      behind.remove_prefix(blank.size());
      break;
    }
  }
  if (behind.size() < 2 || !is_one_of(behind[1], "mM") || hour > 12) return;
  if (is_one_of(behind[0], "pP")) hour = hour % 12 + 12;
  if (is_one_of(behind[0], "aA")) hour %= 12;
}

// Digits of a text as numbers of these lengths, one behind the other.
template <std::size_t Count>
std::array<int, Count> split(std::string_view digits, const std::array<std::size_t, Count>& sizes) {
  TimeNumbers numbers(digits);
  std::array<int, Count> values{};
  for (std::size_t i = 0; i < Count; ++i) values[i] = numbers.next(sizes[i]);
  return values;
}

std::size_t run_of_digits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, is_digit) - text.begin());
}

// What stands between a day and a time of a name: up to three marks, or a word between blanks.
std::string_view without_gap(std::string_view text) {
  constexpr std::size_t kLongestGap = 14;
  std::size_t gap = 0;
  while (gap < text.size() && !is_digit(text[gap])) ++gap;
  const std::string_view between = text.substr(0, gap);
  const bool marks =
      gap <= 3 && std::ranges::all_of(between, [](char c) { return is_one_of(c, "_-T., "); });
  const bool word =
      gap <= kLongestGap && gap > 2 && between.front() == ' ' && between.back() == ' ';
  return gap > 0 && (marks || word) ? text.substr(gap) : std::string_view();
}

void read_clock(std::string_view behind, Moment& moment) {
  const std::string_view text = without_gap(behind);
  const std::size_t run = run_of_digits(text);
  Moment read = moment;
  if (run == 6 || run == 9) {  // with milliseconds
    const auto [hour, minute, second] = split<3>(text, {2, 2, 2});
    read.hour = hour, read.minute = minute, read.second = second;
  } else if (run == 1 || run == 2) {
    constexpr std::string_view kBetween = "-._:";
    TimeNumbers numbers(text);
    read.hour = numbers.next(2);
    const char mark = numbers.done() ? ' ' : numbers.rest().front();
    if (!is_one_of(mark, kBetween)) return;
    for (int* part : {&read.minute, &read.second}) {
      if (numbers.done() || numbers.rest().front() != mark) return;
      numbers.skip({&mark, 1});
      *part = numbers.exactly(2);
      if (*part < 0) return;
    }
    apply_half_of_day(numbers.rest(), read.hour);
  } else {
    return;
  }
  if (read.has_clock() && read.hour < 24) moment = read;
}

// `text` begins with a run of so many digits.
std::optional<std::int64_t> day_of_run(std::string_view text, std::size_t run) {
  const std::string_view behind = text.substr(run);
  if (run != 8) {
    const auto [year, month, day, hour, minute, second] = split<6>(text, {4, 2, 2, 2, 2, 2});
    const Moment moment{year, month, day, hour, minute, second};
    return moment.has_clock() && hour < 24 ? moment.seconds() : std::nullopt;
  }
  const bool word = !behind.empty() && is_letter(behind[0]);
  if (word && !(behind[0] == 'T' && behind.size() > 1 && is_digit(behind[1]))) return std::nullopt;
  const auto [year, month, day] = split<3>(text, {4, 2, 2});
  Moment moment{year, month, day};
  read_clock(behind, moment);
  return moment.seconds();
}

// "2011-03-04", whatever stands between its parts.
std::optional<std::int64_t> day_of_parts(std::string_view text) {
  constexpr std::string_view kBetween = "-_. :";
  TimeNumbers numbers(text);
  Moment moment{numbers.next(4)};
  const char mark = numbers.done() ? 'x' : numbers.rest().front();
  if (!is_one_of(mark, kBetween)) return std::nullopt;
  for (int* part : {&moment.month, &moment.day}) {
    if (numbers.done() || numbers.rest().front() != mark) return std::nullopt;
    numbers.skip({&mark, 1});
    *part = numbers.exactly(2);
    if (*part < 0) return std::nullopt;
  }
  read_clock(numbers.rest(), moment);
  return moment.seconds();
}

// Messengers name what they save by the milliseconds since 1970, in UTC.
std::optional<std::int64_t> day_of_milliseconds(std::string_view before, std::string_view text) {
  constexpr std::array<std::string_view, 9> kBefore = {
      "", "FB_IMG_", "FB_VID_", "mmexport", "wx_camera_", "IMG_", "VID_", "Screenshot_", "photo_"};
  if (std::ranges::count(kBefore, before) == 0) return std::nullopt;
  std::int64_t milliseconds = 0;
  std::from_chars(text.data(), text.data() + 13, milliseconds);
  constexpr std::int64_t kThisCentury = 978'307'200;
  const std::int64_t seconds = milliseconds / 1000;
  if (seconds < kThisCentury) return std::nullopt;
  return time_in_notes(time_text(local_time(seconds)));
}

}  // namespace

std::optional<std::int64_t> time_in_notes(std::string_view text) {
  constexpr std::string_view kBlank{" \t\r\n\0", 5};
  text = text.substr(0, 64);
  text = text.substr(0, text.find_last_not_of(kBlank) + 1);
  TimeNumbers numbers(text);
  numbers.skip(kBlank);
  Moment moment{numbers.exactly(4)};
  if (moment.year < 0) {  // "20110304T050607"
    if (run_of_digits(numbers.rest()) != 8 && run_of_digits(numbers.rest()) != 14) return {};
    moment.year = numbers.next(4);
  }
  for (int* part : {&moment.month, &moment.day}) {
    const std::size_t before = numbers.rest().size();
    numbers.skip({":/-. \0", 6});
    if (numbers.done()) return before == 0 ? moment.seconds() : std::nullopt;
    *part = numbers.next(2);
    if (*part < 0) return std::nullopt;
  }
  Moment clock = moment;
  numbers.skip({" T\t:,-_\0", 8});
  clock.hour = std::max(numbers.next(2), 0);
  for (int* part : {&clock.minute, &clock.second}) {
    numbers.skip(":. ");
    *part = std::max(numbers.next(2), 0);
  }
  apply_half_of_day(numbers.rest(), clock.hour);
  return clock.has_clock() ? clock.seconds() : moment.seconds();
}

std::optional<std::int64_t> time_in_name(std::string_view name) {
  name = name.substr(0, name.rfind('.'));
  for (std::size_t at = 0; at < name.size();) {
    const std::string_view text = name.substr(at);
    const std::size_t run = run_of_digits(text);
    std::optional<std::int64_t> time;
    if (run == 8 || run == 14 || run == 17) time = day_of_run(text, run);
    if (run == 4) time = day_of_parts(text);
    if (run == 13) time = day_of_milliseconds(name.substr(0, at), text);
    if (time) return time;
    at += std::max<std::size_t>(run, 1);
  }
  return std::nullopt;
}

}  // namespace hinny
