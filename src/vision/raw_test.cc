#include <gmock/gmock.h>

#include <fstream>

#include "base/day.h"
#include "base/error.h"
#include "base/random.h"
#include "tests/scratch.h"
#include "vision/file_bytes_fixture.h"
#include "vision/picture.h"
#include "vision/picture_facts.h"
#include "vision/raw_files_fixture.h"
#include "vision/raw_kind.h"
#include "vision/written_pictures_fixture.h"

namespace hinny {
namespace {

using testing::HasSubstr;

Picture read_raw_file(const std::string& bytes, const Enough& enough = {}) {
  return decode_picture(std::as_bytes(std::span(bytes)), enough);
}
std::string refusal_of_raw(const std::string& bytes, const Enough& enough = {}) {
  try {
    read_raw_file(bytes, enough);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}
std::string green_jpeg(int width, int height) {
  return encoded(".jpg", cv::Mat(height, width, CV_8UC3, cv::Scalar(0, 200, 0)));
}
bool is_green(const Picture& picture) {
  return picture.pixels[1] > 150 && picture.pixels[0] < 60 && picture.pixels[2] < 60;
}
// Of what the fixture's sensor saw.
void expect_red_and_blue(const Picture& picture, int width, int height) {
  ASSERT_EQ(picture.width, width);
  ASSERT_EQ(picture.height, height);
  const std::size_t middle = 3 * static_cast<std::size_t>(height / 2 * width);
  const std::size_t left = middle + 3 * static_cast<std::size_t>(width / 4),
                    right = middle + 3 * static_cast<std::size_t>(3 * width / 4);
  EXPECT_GT(picture.pixels[left], picture.pixels[left + 2] + 80);
  EXPECT_GT(picture.pixels[right + 2], picture.pixels[right] + 80);
}

TEST(RawPictures, AreDecodedAtHalfTheirSize) {
  const Picture picture = read_raw_file(dng_file());
  expect_red_and_blue(picture, 64, 48);
  EXPECT_EQ(picture.warning, "");
  EXPECT_EQ(read_raw_file(dng_file(), {.longer = 16}).width, 16);
  expect_red_and_blue(read_raw_file(dng_file({.linear = true})), 128, 96);
  const Picture turned = read_raw_file(dng_file({.turned = 6}));  // by a quarter
  EXPECT_EQ(turned.width, 48);
  EXPECT_GT(turned.pixels[0], turned.pixels[2] + 80);
  EXPECT_LT(turned.pixels[turned.pixels.size() - 3], turned.pixels.back() - 80);
}

TEST(RawPictures, ArePreviewsWhereTheseAreLargeEnough) {
  const std::string small = dng_file({.preview = green_jpeg(40, 30)});
  EXPECT_TRUE(is_green(read_raw_file(small, {.shorter = 30})));
  EXPECT_TRUE(is_green(read_raw_file(small, {.longer = 40})));
  expect_red_and_blue(read_raw_file(small, {.shorter = 31}), 64, 48);
  expect_red_and_blue(read_raw_file(small), 64, 48);
  const std::string large = dng_file({.preview = green_jpeg(128, 96)});
  EXPECT_EQ(read_raw_file(large).width, 128);
  EXPECT_TRUE(is_green(read_raw_file(large)));
  EXPECT_EQ(read_raw_file(large, {.shorter = 24}).width, 32);  // as JPEG is read
  // What is asked is more than there is of the sensor, too.
  EXPECT_TRUE(is_green(read_raw_file(large, {.shorter = 1000})));
  // A preview that is none.
  expect_red_and_blue(read_raw_file(dng_file({.preview = std::string(3000, 'x')}), {.longer = 8}),
                      8, 6);
}

// Of a kind that LibRaw does not know, the preview is left, whatever is asked for.
TEST(RawPictures, ThoseOfNewCamerasAreTheirPreviews) {
  const auto unknown = [](std::string bytes) {
    const std::string one = tiff_number(3, 2) + tiff_number(1, 4);  // a number of 16 bits
    const std::size_t at = bytes.find(tiff_number(259, 2) + one + tiff_number(1, 2));
    return bytes.replace(at + 8, 2, tiff_number(60000, 2));
  };
  EXPECT_THAT(refusal_of_raw(unknown(dng_file())), HasSubstr("unsupported by LibRaw"));
  const Picture picture =
      read_raw_file(unknown(dng_file({.preview = green_jpeg(40, 30), .turned = 6})));
  EXPECT_TRUE(is_green(picture));
  EXPECT_EQ(picture.width, 30);
  const std::string jpeg = green_jpeg(40, 30);
  EXPECT_TRUE(is_green(read_raw_file("FUJIFILMCCD-RAW " + std::string(68, ' ') + big(100, 4) +
                                     big(jpeg.size(), 4) + std::string(8, '\0') + jpeg)));
}

// LibRaw 0.20 does not survive a pattern of 36 colours where 4 were stated.
TEST(RawPictures, APatternOfAnotherSizeIsNothing) {
  const auto patterned = [](std::string bytes, std::uint32_t tag) {
    const std::size_t at =
        bytes.find(tiff_number(33422, 2) + tiff_number(1, 2) + tiff_number(4, 4));
    return bytes.replace(at, 8, tiff_number(tag, 2) + tiff_number(1, 2) + tiff_number(36, 4));
  };
  for (const std::uint32_t tag : {33422U, 64777U}) {
    refusal_of_raw(patterned(dng_file(), tag));
    EXPECT_TRUE(is_green(
        read_raw_file(patterned(dng_file({.preview = green_jpeg(40, 30)}), tag), {.longer = 40})));
  }
}

// They lie as the sensor's data do, unless the camera has turned them.
TEST(RawPictures, PreviewsAreTurned) {
  const Picture picture = read_raw_file(dng_file({.preview = green_jpeg(128, 96), .turned = 8}));
  EXPECT_EQ(picture.width, 96);
  EXPECT_EQ(picture.height, 128);
  const Picture upright = read_raw_file(dng_file({.preview = green_jpeg(96, 128), .turned = 8}));
  EXPECT_EQ(upright.width, 96);
  EXPECT_EQ(upright.height, 128);
}

TEST(RawPictures, AreOtherThanTiffFiles) {
  const auto kind = [](const std::string& bytes) {
    return sensor_data(HeldBytes(std::as_bytes(std::span(bytes)))).has_value();
  };
  EXPECT_TRUE(kind(dng_file()));
  EXPECT_TRUE(kind(dng_file({.preview = green_jpeg(40, 30)})));
  EXPECT_FALSE(kind(tiff_file()));
  for (const std::string& begins :
       {std::string("FUJIFILMCCD-RAW 0201"), std::string("IIRO\x08\0\0\0", 8),
        std::string("IIU\0\x18\0\0\0", 8),
        std::string("\0\0\0\x18"
                    "ftypcrx ",
                    12)}) {
    EXPECT_EQ(picture_format(std::as_bytes(std::span(begins))), PictureFormat::raw);
    EXPECT_THAT(refusal_of_raw(begins + std::string(1000, 'x')),
                testing::AnyOf(HasSubstr("unsupported by LibRaw"), HasSubstr("damaged: ")));
  }
}

TEST(RawPictures, SayWhatIsMissing) {
  const std::string whole = dng_file();
  const std::size_t pixels = std::size_t{2} * 128 * 96;
  const Picture most = read_raw_file(whole.substr(0, whole.size() - pixels / 4));
  EXPECT_EQ(most.width, 64);
  EXPECT_EQ(most.warning, "its last 25 % are missing; what is there is read");
  EXPECT_GT(most.pixels[0], most.pixels[2] + 80);
  EXPECT_THAT(refusal_of_raw(whole.substr(0, whole.size() - pixels * 3 / 4)),
              HasSubstr("damaged: cut off, 25 % of the picture is there"));
  // The preview stands before what is missing.
  const std::string shown = dng_file({.preview = green_jpeg(128, 96)});
  EXPECT_TRUE(is_green(read_raw_file(shown.substr(0, shown.size() - pixels))));
}

TEST(RawPictures, AreNotReadBeyondWhatFits) {
  std::string large = dng_file();
  const auto state = [&](std::uint32_t tag, std::uint32_t before, std::uint32_t value) {
    const std::string entry = tiff_number(tag, 2) + tiff_number(4, 2) + tiff_number(1, 4);
    large.replace(large.find(entry + tiff_number(before, 4)) + 8, 4, tiff_number(value, 4));
  };
  state(256, 128, 20'000);
  state(257, 96, 20'000);
  EXPECT_THAT(refusal_of_raw(large), HasSubstr("too large: 10000 x 10000 pixels, whose decoding"));
}

TEST(RawPictures, SayWhenWhereAndWithWhatTheyWereTaken) {
  const Scratch scratch;
  const auto facts_of = [&](const std::string& bytes) {
    std::ofstream(scratch / "x.raw", std::ios::binary) << bytes;
    return picture_facts(scratch / "x.raw");
  };
  const auto expect_all = [](const PictureFacts& facts) {
    ASSERT_TRUE(facts.taken && facts.place);
    EXPECT_EQ(time_text(facts.taken->at), "2021-05-06 07:08:09");
    EXPECT_NEAR(facts.place->latitude, 47.3769, 1e-3);
    EXPECT_NEAR(facts.place->longitude, 8.5417, 1e-3);
    EXPECT_EQ(facts.camera, "Hinny Box One");
    EXPECT_EQ(facts.lens, "Glass 35");
  };
  const std::string dng = dng_file();
  expect_all(facts_of(dng));
  for (const std::string& begins : {std::string("IIRO"), std::string("IIU\0", 4)}) {
    expect_all(facts_of(begins + dng.substr(4)));
  }
  // A RAF's are in its JPEG.
  const std::string exif = "Exif" + std::string(2, '\0') + dng.substr(0, 2000);
  const std::string jpeg = "\xFF\xD8\xFF\xE1" + big(exif.size() + 2, 2) + exif + "\xFF\xD9";
  expect_all(facts_of("FUJIFILMCCD-RAW " + std::string(68, ' ') + big(100, 4) +
                      big(jpeg.size(), 4) + std::string(8, '\0') + jpeg));
}

// A CR3's directories are files of TIFF, each in a box.
TEST(RawPictures, Cr3SaysWhenWhereAndWithWhatItWasTaken) {
  TiffDirectory usual, exif, place;
  usual.text(271, "Canon");
  usual.text(272, "Canon EOS R6");
  exif.text(36867, "2021:05:06 07:08:09");
  exif.text(42036, "RF35mm");
  place.text(1, "S");
  place.fractions(2, 5, {330000, 0, 0});
  place.text(3, "W");
  place.fractions(4, 5, {700000, 0, 0});
  const auto tiff = [](const TiffDirectory& one) {
    return "II*" + std::string(1, '\0') + tiff_number(8, 4) + one.at(8) + std::string(16, '\0');
  };
  const std::string canon =
      from_hex("85c0b687820f11e08111f4ce462b6a48") + box("CNCV", "CanonCR3_001/00.09.00/00.00.00") +
      box("CMT1", tiff(usual)) + box("CMT2", tiff(exif)) + box("CMT4", tiff(place));
  const Scratch scratch;
  std::ofstream(scratch / "x.cr3", std::ios::binary)
      << box("ftyp", "crx " + big(1, 4) + "crx isom") + box("moov", box("uuid", canon));
  const PictureFacts facts = picture_facts(scratch / "x.cr3");
  ASSERT_TRUE(facts.taken && facts.place);
  EXPECT_EQ(time_text(facts.taken->at), "2021-05-06 07:08:09");
  EXPECT_NEAR(facts.place->latitude, -33, 1e-6);
  EXPECT_NEAR(facts.place->longitude, -70, 1e-6);
  EXPECT_EQ(facts.camera, "Canon EOS R6");
  EXPECT_EQ(facts.lens, "RF35mm");
}

// Cut off or with bits turned they are an error or a picture.
TEST(RawPictures, WhateverABrokenOneIsNothingHappens) {
  testing::internal::CaptureStderr();
  Random random(5);
  for (const std::string& whole :
       {dng_file({.width = 64, .height = 48}),
        dng_file({.width = 64, .height = 48, .linear = true}),
        dng_file({.width = 64, .height = 48, .preview = green_jpeg(30, 20)})}) {
    const std::size_t head = whole.size() - std::size_t{2} * 64 * 48;
    for (int i = 0; i < 100; ++i) {
      std::string broken = whole;
      for (std::uint64_t flips = 1 + random.below(4); flips > 0; --flips) {
        char& byte =
            broken[random.below(i % 4 == 0 ? whole.size() : std::min<std::size_t>(head, 900))];
        byte = static_cast<char>(byte ^ (1 << random.below(8)));
      }
      refusal_of_raw(broken);
      refusal_of_raw(broken, {.longer = 20});
      refusal_of_raw(whole.substr(0, random.below(whole.size())));
    }
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace hinny
