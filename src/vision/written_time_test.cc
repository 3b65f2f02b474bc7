#include "vision/written_time.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <string>

#include "base/day.h"

namespace hinny {
namespace {

std::string text(std::optional<std::int64_t> time) { return time ? time_text(*time) : "none"; }
std::string noted(std::string_view written) { return text(time_in_notes(written)); }
std::string named(std::string_view name) { return text(time_in_name(name)); }

constexpr const char* kMoment = "2011-03-04 05:06:07";
constexpr const char* kDay = "2011-03-04 00:00:00";

TEST(WrittenTime, InNotesIsReadAsItIsMeant) {
  using namespace std::string_view_literals;
  for (const std::string_view written :
       {"2011:03:04 05:06:07"sv, "2011-03-04 05:06:07"sv, "2011/03/04 05:06:07"sv,
        "2011.03.04 05:06:07"sv, "2011:3:4 5:6:7"sv, "2011: 3: 4  5: 6: 7"sv,
        "2011-03-04T05:06:07Z"sv, "2011-03-04T05:06:07+02:00"sv, "2011-03-04T05:06:07.125-0800"sv,
        "  2011:03:04 05:06:07  "sv, "2011:03:04 05:06:07\0\0"sv, "2011:03:04\0005:06:07"sv,
        "20110304T050607"sv, "20110304050607"sv, "2011:03:04 05:06:07 AM"sv,
        "2011:03:04:05:06:07"sv}) {
    EXPECT_EQ(noted(written), kMoment) << written;
  }
  EXPECT_EQ(noted("2011:03:04 05:06"), "2011-03-04 05:06:00");
  EXPECT_EQ(noted("2011-03-04T05:06+01:00"), "2011-03-04 05:06:00");
  EXPECT_EQ(noted("2011-03-04T05:06-08:00"), "2011-03-04 05:06:00");
  EXPECT_EQ(noted("2011:03:04 05:06:07 PM"), "2011-03-04 17:06:07");
  EXPECT_EQ(noted("2011:03:04   :  :  "), kDay);
  EXPECT_EQ(noted("2011-03-04"), kDay);
  EXPECT_EQ(noted("2011-03"), "2011-03-01 00:00:00");
  EXPECT_EQ(noted("1955"), "1955-01-01 00:00:00");
  EXPECT_EQ(noted("1969:07:20 20:17:00"), "1969-07-20 20:17:00");
}

// Clocks that count hours from 1 to 24 write midnight so.
TEST(WrittenTime, Hour24IsTheFirstOfItsDay) {
  EXPECT_EQ(noted("2011:03:04 24:00:00"), kDay);
  EXPECT_EQ(noted("2011:03:04 24:15:30"), "2011-03-04 00:15:30");
  EXPECT_EQ(noted("2011:03:04 25:00:00"), kDay);  // no time, but a day
}

TEST(WrittenTime, NothingOfUseIsNone) {
  for (const char* written :
       {"", " ", "0000:00:00 00:00:00", "    :  :     :  :  ", "2011:  :     :  :  ", "2011:00:00",
        "2011:03:00 00:00:00", "2011:02:30 00:00:00", "1825:12:31 00:00:00", "9999:01:01 00:00:00",
        "2300:01:01 00:00:00", "11:03:04 05:06:07", "text", "20113:03:04"}) {
    EXPECT_EQ(noted(written), "none") << written;
  }
}

TEST(WrittenTime, IsKnownByTheNamesOfCamerasAndMessengers) {
  for (const char* name : {"IMG_20110304_050607.jpg",
                           "PXL_20110304_050607123.jpg",
                           "20110304_050607.jpg",
                           "20110304_050607(0).jpg",
                           "IMG20110304050607.jpg",
                           "P_20110304_050607.jpg",
                           "MVIMG_20110304_050607.jpg",
                           "00000IMG_00000_BURST20110304050607123_COVER.jpg",
                           "WP_20110304_05_06_07_Pro.jpg",
                           "Screenshot_2011-03-04-05-06-07.png",
                           "Screenshot_20110304-050607_Maps.jpg",
                           "Screenshot 2011-03-04 at 05.06.07.png",
                           "Screenshot 2011-03-04 at 5.06.07 AM.png",
                           "Screenshot 2011-03-04 at 5.06.07\u202fAM.png",
                           "Bildschirmfoto 2011-03-04 um 05.06.07.png",
                           "Capture d’écran 2011-03-04 à 05.06.07.png",
                           "Screenshot from 2011-03-04 05-06-07.png",
                           "WhatsApp Image 2011-03-04 at 05.06.07.jpeg",
                           "WhatsApp Image 2011-03-04 at 5.06.07 AM (1).jpeg",
                           "signal-2011-03-04-050607.jpg",
                           "signal-2011-03-04-05-06-07-123.jpg",
                           "photo_2011-03-04_05-06-07.jpg",
                           "photo_2011-03-04 05.06.07.jpeg",
                           "2011-03-04 05.06.07.jpg",
                           "2011-03-04 05.06.07-2.jpg",
                           "20110304T050607.jpg",
                           "C360_2011-03-04-05-06-07-123.jpg",
                           "DJI_20110304050607_0001_D.JPG"}) {
    EXPECT_EQ(named(name), kMoment) << name;
  }
  EXPECT_EQ(named("WhatsApp Image 2011-03-04 at 5.06.07 PM.jpeg"), "2011-03-04 17:06:07");
  EXPECT_EQ(named("WhatsApp Image 2011-03-04 at 12.06.07 AM.jpeg"), "2011-03-04 00:06:07");
  for (const char* name : {"IMG-20110304-WA0001.jpg", "VID-20110304-WA0001.jpg", "20110304.jpg",
                           "2011-03-04.jpg", "2011-03-04 Beach.jpg", "Beach 2011_03_04 (3).jpg",
                           "2011-03-04-001.jpg", "20110304_999999.jpg"}) {
    EXPECT_EQ(named(name), kDay) << name;
  }
}

TEST(WrittenTime, OtherNumbersAreNone) {
  for (const char* name :
       {"P1000123.JPG", "IMG_1234.jpg", "DSC00123.JPG", "IMG_12345678.jpg", "20111304.jpg",
        "123456789.jpg", "2011.jpg", "2011-13-04.jpg", "a20110304bcd.jpg", "1234-56-78.jpg",
        "received_1299215167000123.jpg", "4006381333931.jpg", "12.jpg", "", ".jpg",
        "18250101_000000.jpg", "29990101_000000.jpg"}) {
    EXPECT_EQ(named(name), "none") << name;
  }
}

TEST(WrittenTime, MillisecondsAreOfThisMachinesClock) {
  const std::int64_t moment = 1'299'215'167;
  for (const char* name : {"FB_IMG_1299215167000.jpg", "mmexport1299215167123.jpg",
                           "1299215167000.jpg", "IMG_1299215167000.jpg"}) {
    EXPECT_EQ(named(name), time_text(local_time(moment))) << name;
  }
}

}  // namespace
}  // namespace hinny
