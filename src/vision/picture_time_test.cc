#include "vision/picture_time.h"

#include <gtest/gtest.h>

#include <string>

#include "base/day.h"
#include "base/files.h"
#include "tests/scratch.h"
#include "vision/picture_files_fixture.h"

namespace hinny {
namespace {

std::string number(std::uint32_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
  return text;
}

// A directory of one entry at `at`, whose value stands behind it.
std::string directory(std::uint32_t tag, std::uint32_t type, std::uint32_t count,
                      std::uint32_t at) {
  return number(1, 2) + number(tag, 2) + number(type, 2) + number(count, 4) + number(at + 18, 4) +
         number(0, 4);
}

// The parts of a JPEG file that say when it was taken; there is no picture in it.
std::string taken(std::string time) {
  time.resize(20, '\0');
  const std::string tiff = "II*" + std::string(1, '\0') + number(8, 4) +
                           directory(0x8769, 4, 1, 8) + directory(0x9003, 2, 20, 26) + time;
  const std::string exif = std::string("Exif\0\0", 6) + tiff;
  const auto size = static_cast<std::uint32_t>(exif.size() + 2);
  return "\xff\xd8\xff\xe1" + std::string{static_cast<char>(size >> 8U), static_cast<char>(size)} +
         exif + "\xff\xd9";
}

std::string time_in(const std::string& bytes) {
  const Scratch folder;
  write_file(folder / "a.jpg", bytes);
  const auto time = taken_at(folder / "a.jpg");
  return time ? time_text(*time) : "unknown";
}

TEST(PictureTime, IsWhatTheCameraWrote) {
  EXPECT_EQ(time_in(taken("2024:06:15 10:30:05")), "2024-06-15 10:30:05");
  EXPECT_EQ(time_in(taken("1999:12:31 23:59:59")), "1999-12-31 23:59:59");
}

TEST(PictureTime, IsKnownOfOtherFormats) {
  EXPECT_EQ(time_in(heic_file()), "2023-07-08 09:10:11");
  EXPECT_EQ(time_in(avif_file()), "2023-07-08 09:10:11");
  EXPECT_EQ(time_in(tiff_file()), "2022-03-04 05:06:07");
}

TEST(PictureTime, IsUnknownWhereNothingOfUseIsThere) {
  for (const char* time : {"", "    :  :     :  :  ", "0000:00:00 00:00:00", "2024:13:01 10:00:00",
                           "2024:06:15", "nonsense nonsense!!"}) {
    EXPECT_EQ(time_in(taken(time)), "unknown") << time;
  }
  EXPECT_EQ(time_in(""), "unknown");
  EXPECT_EQ(time_in("no picture"), "unknown");
  EXPECT_FALSE(taken_at("/nowhere/at/all.jpg").has_value());
}

// Whatever a broken file holds, reading it ends and takes nothing down.
TEST(PictureTime, ABrokenFileIsNoHarm) {
  for (const std::string& whole : {taken("2024:06:15 10:30:05"), heic_file(), tiff_file()}) {
    const std::size_t step = 1 + whole.size() / 50;
    for (std::size_t bytes = 0; bytes < whole.size(); bytes += step) {
      time_in(whole.substr(0, bytes));
    }
    for (std::size_t at = 0; at < whole.size(); at += step) {
      for (const char bits : {'\x01', '\x80', '\xff'}) {
        std::string broken = whole;
        broken[at] = static_cast<char>(broken[at] ^ bits);
        time_in(broken);
      }
    }
  }
}

}  // namespace
}  // namespace hinny
