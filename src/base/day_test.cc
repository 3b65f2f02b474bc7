#include "base/day.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <optional>
#include <string>

namespace hinny {
namespace {

std::string shown(std::string_view text) {
  const auto period = parse_period(text);
  return period ? time_text(period->begin) + " to " + time_text(period->end) : "nothing";
}

TEST(Period, IsWhatPeopleWrite) {
  EXPECT_EQ(shown("2024"), "2024-01-01 00:00:00 to 2025-01-01 00:00:00");
  EXPECT_EQ(shown("2024-02"), "2024-02-01 00:00:00 to 2024-03-01 00:00:00");
  EXPECT_EQ(shown("2023-12"), "2023-12-01 00:00:00 to 2024-01-01 00:00:00");
  EXPECT_EQ(shown("2024-02-29"), "2024-02-29 00:00:00 to 2024-03-01 00:00:00");
  EXPECT_EQ(shown("2024-06-15 10:30"), "2024-06-15 10:30:00 to 2024-06-15 10:31:00");
  EXPECT_EQ(shown("2024-06-15T23:59:59"), "2024-06-15 23:59:59 to 2024-06-16 00:00:00");
  EXPECT_EQ(shown("1969-07-20 20:17:40"), "1969-07-20 20:17:40 to 1969-07-20 20:17:41");
  EXPECT_EQ(parse_period("1970-01-02")->begin, 24 * 3600);
}

TEST(Period, OfAnythingElseIsNone) {
  for (const char* text : {"",
                           "24",
                           "2024-",
                           "2024-13",
                           "2024-00",
                           "2023-02-29",
                           "2024-06-31",
                           "2024-6",
                           "2024-06-15 10",
                           "2024-06-15 24:00",
                           "2024-06-15 10:60",
                           "2024-06-15 10:30:61",
                           "2024-06-15 10:30:00 ",
                           "june",
                           "0000",
                           "-123",
                           "2024/06",
                           "2024-06-15x10:30",
                           "+123",
                           "20240",
                           "2024-+6"}) {
    EXPECT_EQ(shown(text), "nothing") << text;
  }
}

// The time zone is the process's, so each test sets it, whatever the machine has.
class LocalTime : public testing::Test {
 protected:
  ~LocalTime() override { set_zone(before_ ? before_->c_str() : nullptr); }

  static void set_zone(const char* zone) {
    if (zone == nullptr) {
      ::unsetenv("TZ");
    } else {
      ::setenv("TZ", zone, 1);
    }
    ::tzset();
  }
  // As POSIX writes zones, which takes no file of them: hours west of UTC, rules of summer time.
  static std::string shown_in(const char* zone, std::int64_t seconds) {
    set_zone(zone);
    return time_text(local_time(seconds));
  }

 private:
  static std::optional<std::string> zone() {
    const char* set = std::getenv("TZ");
    return set == nullptr ? std::nullopt : std::optional<std::string>(set);
  }
  std::optional<std::string> before_ = zone();
};

TEST_F(LocalTime, IsTheTimeOfTheZone) {
  const std::int64_t june = 1'718'445'600;     // 2024-06-15 10:00:00 UTC
  const std::int64_t january = 1'705'312'800;  // 2024-01-15 10:00:00 UTC
  EXPECT_EQ(shown_in("UTC0", june), "2024-06-15 10:00:00");
  EXPECT_EQ(shown_in("NPT-5:45", june), "2024-06-15 15:45:00");
  EXPECT_EQ(shown_in("HST10", june), "2024-06-15 00:00:00");
  EXPECT_EQ(shown_in("CET-1CEST,M3.5.0,M10.5.0/3", june), "2024-06-15 12:00:00");
  EXPECT_EQ(shown_in("CET-1CEST,M3.5.0,M10.5.0/3", january), "2024-01-15 11:00:00");
}

// Files may be of any year, and a text is of four digits.
TEST_F(LocalTime, EndsWithTheYears1And9999) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(time_text(kMost), "9999-12-31 23:59:59");
  EXPECT_EQ(time_text(-kMost), "0001-01-01 00:00:00");
  EXPECT_EQ(shown_in("NPT-5:45", kMost), "9999-12-31 23:59:59");
  EXPECT_EQ(shown_in("HST10", kMost), "9999-12-31 13:59:59");
  EXPECT_EQ(shown_in("NPT-5:45", -kMost), "0001-01-01 05:45:00");
  EXPECT_EQ(shown_in("HST10", -kMost), "0001-01-01 00:00:00");
  EXPECT_EQ(shown_in("NPT-5:45", 10'413'792'000), "2300-01-01 05:45:00");
  EXPECT_EQ(shown_in("NPT-5:45", -11'676'096'000), "1600-01-01 05:45:00");
}

}  // namespace
}  // namespace hinny
