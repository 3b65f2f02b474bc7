#include "base/day.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

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

TEST(WallClock, IsAnHourOrMoreOfTheSameSecond) {
  const std::int64_t noon = 1'718'445'600;  // 2024-06-15 10:00:00 UTC
  const std::int64_t shift = wall_clock(noon) - noon;
  EXPECT_LE(std::abs(shift), 14 * 3600);
  EXPECT_EQ(shift % 900, 0);
}

// Files may be of any year, and a text is of four digits.
TEST(WallClock, EndsWithTheYears1And9999) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(time_text(kMost), "9999-12-31 23:59:59");
  EXPECT_EQ(time_text(-kMost), "0001-01-01 00:00:00");
  EXPECT_EQ(time_text(wall_clock(kMost)).substr(0, 8), "9999-12-");  // by the zone
  EXPECT_EQ(time_text(wall_clock(-kMost)).substr(0, 8), "0001-01-");
  const std::int64_t in_2300 = 10'413'792'000, in_1600 = -11'676'096'000;
  EXPECT_LE(std::abs(wall_clock(in_2300) - in_2300), 24 * 3600);
  EXPECT_LE(std::abs(wall_clock(in_1600) - in_1600), 24 * 3600);
}

}  // namespace
}  // namespace hinny
