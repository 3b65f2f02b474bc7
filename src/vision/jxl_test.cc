#include "vision/jxl.h"

#include <gmock/gmock.h>
#include <lcms2.h>

#include <fstream>

#include "base/day.h"
#include "base/error.h"
#include "base/random.h"
#include "tests/scratch.h"
#include "vision/file_bytes_fixture.h"
#include "vision/jxl_files_fixture.h"
#include "vision/picture.h"
#include "vision/picture_facts.h"
#include "vision/picture_files_fixture.h"

namespace hinny {
namespace {

using testing::HasSubstr;

Picture read_jxl(const std::string& bytes, const Enough& enough = {}) {
  return decode_picture(std::as_bytes(std::span(bytes)), enough);
}
std::string refusal_of_jxl(const std::string& bytes) {
  try {
    read_jxl(bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "read";
}
// RGB: red above, blue below.
cv::Mat red_on_blue(int width = 48, int height = 64) {
  cv::Mat picture(height, width, CV_8UC3, cv::Scalar(20, 10, 230));
  picture(cv::Rect(0, 0, width, height / 2)) = cv::Scalar(230, 10, 20);
  return picture;
}
cv::Mat noise_of_colours(int width, int height) {
  Random random(7);
  cv::Mat picture(height, width, CV_8UC3);
  for (auto& value : std::span(picture.data, picture.total() * 3)) {
    value = static_cast<std::uint8_t>(random.below(256));
  }
  return picture;
}
void expect_red(const Picture& picture, int x, int y) {
  const std::size_t at = 3 * static_cast<std::size_t>(y * picture.width + x);
  EXPECT_GT(picture.pixels[at], 180);
  EXPECT_LT(picture.pixels[at + 2], 70);
}
void expect_blue(const Picture& picture, int x, int y) {
  const std::size_t at = 3 * static_cast<std::size_t>(y * picture.width + x);
  EXPECT_LT(picture.pixels[at], 70);
  EXPECT_GT(picture.pixels[at + 2], 180);
}

TEST(JpegXl, IsReadAsItIsShown) {
  for (const bool lossless : {false, true}) {
    const Picture picture = read_jxl(jxl_file(red_on_blue(), {.lossless = lossless}));
    ASSERT_EQ(picture.width, 48);
    ASSERT_EQ(picture.height, 64);
    expect_red(picture, 3, 3);
    expect_blue(picture, 40, 60);
    EXPECT_EQ(picture.warning, "");
  }
  const Picture turned = read_jxl(jxl_file(red_on_blue(), {.turned = 6}));  // by a quarter
  ASSERT_EQ(turned.width, 64);
  expect_blue(turned, 3, 3);
  expect_red(turned, 60, 40);
  const Picture grey = read_jxl(jxl_file(cv::Mat(30, 40, CV_8UC1, cv::Scalar(90))));
  EXPECT_NEAR(grey.pixels[0], 90, 3);
  EXPECT_EQ(grey.pixels[0], grey.pixels[1]);
  cv::Mat clear(30, 40, CV_8UC4, cv::Scalar(0, 0, 0, 0));
  clear(cv::Rect(0, 0, 20, 30)) = cv::Scalar(230, 10, 20, 255);
  const Picture on_white = read_jxl(jxl_file(clear, {.lossless = true}));
  expect_red(on_white, 3, 3);
  EXPECT_EQ(on_white.pixels[3 * 39 + 1], 255);
}

TEST(JpegXl, IsShrunkWhileItIsRead) {
  const Picture small = read_jxl(jxl_file(red_on_blue(400, 320)), {.longer = 100});
  EXPECT_EQ(small.width, 100);
  EXPECT_EQ(small.height, 80);
  expect_red(small, 50, 10);
}

// Of colours of a profile, red and green exchanged here.
TEST(JpegXl, ColoursAreThoseOfTheProfile) {
  const cmsCIExyY white{0.3127, 0.329, 1};
  const cmsCIExyYTRIPLE colours{{0.30, 0.60, 1}, {0.64, 0.33, 1}, {0.15, 0.06, 1}};
  cmsToneCurve* curve = cmsBuildGamma(nullptr, 2.2);
  cmsToneCurve* curves[] = {curve, curve, curve};
  cmsHPROFILE profile = cmsCreateRGBProfile(&white, &colours, curves);
  cmsUInt32Number size = 0;
  cmsSaveProfileToMem(profile, nullptr, &size);
  std::string bytes(size, '\0');
  cmsSaveProfileToMem(profile, bytes.data(), &size);
  cmsCloseProfile(profile);
  cmsFreeToneCurve(curve);
  const cv::Mat green(32, 32, CV_8UC3, cv::Scalar(0, 220, 0));
  expect_red(read_jxl(jxl_file(green, {.lossless = true, .profile = bytes})), 5, 5);
}

// However many frames it takes, of whatever sizes.
TEST(JpegXl, AnAnimationIsItsFirstPicture) {
  const cv::Mat red(64, 48, CV_8UC3, cv::Scalar(230, 10, 20)),
      blue(64, 48, CV_8UC3, cv::Scalar(20, 10, 230)),
      patch(10, 8, CV_8UC3, cv::Scalar(20, 10, 230));
  for (const bool lossless : {false, true}) {
    const JxlAs how{.lossless = lossless, .animated = true};
    const Picture first = read_jxl(jxl_of_frames({{red}, {blue}}, how));
    expect_red(first, 3, 3);
    expect_red(first, 40, 60);
    const Picture composed = read_jxl(jxl_of_frames({{red, 0}, {patch, 5, 20, 30}, {blue}}, how));
    expect_red(composed, 3, 3);
    expect_blue(composed, 24, 35);
  }
}

// Screenshots with repeated letters and pictures of many passes have frames that are not shown.
TEST(JpegXl, HiddenFramesAreFollowed) {
  cv::Mat letters(512, 512, CV_8UC3, cv::Scalar(255, 255, 255));
  for (int y = 10; y < 500; y += 24) {
    for (int x = 10; x < 500; x += 16) {
      letters(cv::Rect(x, y, 6, 2)) = cv::Scalar(0, 0, 0);
      letters(cv::Rect(x + 2, y, 2, 12)) = cv::Scalar(0, 0, 0);
    }
  }
  for (const bool lossless : {false, true}) {
    const Picture read = read_jxl(jxl_file(letters, {.lossless = lossless, .effort = 7}));
    EXPECT_EQ(read.width, 512);
  }
  const cv::Mat noisy = noise_of_colours(700, 500);
  EXPECT_EQ(read_jxl(jxl_file(noisy, {.effort = 7, .progressive = true})).height, 500);
}

TEST(JpegXl, WhatIsWrongIsSaid) {
  const std::string whole = jxl_file(noise_of_colours(300, 200));
  EXPECT_THAT(refusal_of_jxl(whole.substr(0, whole.size() / 2)), HasSubstr("damaged: "));
  EXPECT_THAT(refusal_of_jxl(whole.substr(0, 3)), HasSubstr("damaged: "));
  EXPECT_THAT(refusal_of_jxl(std::string("\0\0\0\x0CJXL \r\n\x87\n", 12)), HasSubstr("damaged: "));
  std::string broken = whole;
  for (std::size_t i = 100; i < 200; ++i) broken[i] = static_cast<char>(broken[i] ^ 0x55);
  EXPECT_THAT(refusal_of_jxl(broken), HasSubstr("damaged"));
}

// Bits from the least significant on.
class Written {
 public:
  Written& put(std::uint64_t value, unsigned bits) {
    for (unsigned i = 0; i < bits; ++i, ++at_) {
      if (at_ % 8 == 0) bytes_ += '\0';
      bytes_.back() = static_cast<char>(bytes_.back() | (value >> i & 1U) << (at_ % 8));
    }
    return *this;
  }
  Written& to_byte() {
    at_ = 8 * bytes_.size();
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

// A picture of 16 x 16 pixels, made from a frame of a million times as many.
TEST(JpegXl, HiddenFramesMayNotBeOfAnySize) {
  Written file;
  file.put(0x0AFF, 16).put(1, 1).put(1, 5).put(1, 3).put(1, 1).put(1, 1).to_byte();
  file.put(0, 1).put(2, 2).put(1, 1).put(0, 2).put(0, 2).put(1, 2);  // only to be referred to
  file.put(1, 1).put(3, 2).put(20'000, 30).put(3, 2).put(20'000, 30);
  file.put(1, 2).put(1, 1).put(0, 2).put(1, 1).put(0, 2);
  for (int i = 0; i < 50; ++i) file.put(0, 8);
  EXPECT_THAT(refusal_of_jxl(file.bytes()),
              HasSubstr("too large: a frame of 38688 x 38688 pixels"));
}

TEST(JpegXl, SaysWhenItWasTaken) {
  const Scratch scratch;
  const std::string tiff = tiff_file();  // at 2022-03-04 05:06:07
  const std::string xmp =
      "<x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF "
      "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><rdf:Description "
      "xmlns:photoshop='http://ns.adobe.com/photoshop/1.0/' "
      "photoshop:DateCreated='2021-02-03T04:05:06'/></rdf:RDF></x:xmpmeta>";
  for (const bool compressed : {false, true}) {
    const auto taken = [&](const std::string& type, const std::string& content) {
      const std::string file =
          jxl_file(red_on_blue(), {.boxes = {{type, content}}, .compress_boxes = compressed});
      std::ofstream(scratch / "x.jxl", std::ios::binary) << file;
      EXPECT_EQ(read_jxl(file).width, 48);
      const auto facts = picture_facts(scratch / "x.jxl");
      return facts.taken ? time_text(facts.taken->at) : "";
    };
    EXPECT_EQ(taken("Exif", std::string(4, '\0') + tiff), "2022-03-04 05:06:07");
    EXPECT_EQ(taken("xml ", xmp), "2021-02-03 04:05:06");
  }
}

// Cut off or with bits turned it is an error or a picture.
TEST(JpegXl, WhateverABrokenOneIsNothingHappens) {
  Random random(11);
  const cv::Mat picture = noise_of_colours(90, 70);
  for (const std::string& whole :
       {jxl_file(picture), jxl_file(picture, {.lossless = true}),
        jxl_of_frames({{picture, 0}, {picture(cv::Rect(0, 0, 9, 9)).clone(), 3, 4, 5}, {picture}},
                      {.lossless = true, .animated = true}),
        jxl_file(red_on_blue(), {.boxes = {{"xml ", "<x/>"}}})}) {
    for (int i = 0; i < 150; ++i) {
      std::string broken = whole;
      const std::size_t reach = i % 2 == 0 ? std::min<std::size_t>(60, whole.size()) : whole.size();
      for (std::uint64_t flips = 1 + random.below(4); flips > 0; --flips) {
        char& byte = broken[random.below(reach)];
        byte = static_cast<char>(byte ^ (1 << random.below(8)));
      }
      refusal_of_jxl(broken);
      refusal_of_jxl(whole.substr(0, random.below(whole.size())));
    }
  }
}

}  // namespace
}  // namespace hinny
