#include "vision/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/parameter_name.h"
#include "tests/scratch.h"
#include "vision/picture_files_fixture.h"
#include "vision/written_pictures_fixture.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::HasSubstr;
using testing::Not;

// 40 x 20 pixels, the left half red, the right half blue, with some noise to make the file long.
std::string small_file(const std::string& extension) {
  if (extension == ".heic") return heic_file();
  if (extension == ".avif") return avif_file();
  if (extension == ".tif") return tiff_file();
  cv::Mat picture(20, 40, CV_8UC3);
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      const auto noise = static_cast<std::uint8_t>((x * 7 + y * 13) % 20);
      picture.at<cv::Vec3b>(y, x) = x < 20 ? cv::Vec3b(noise, 0, 230) : cv::Vec3b(230, 0, noise);
    }
  }
  return encoded(extension, picture);
}

class BadPicture : public testing::Test {
 protected:
  std::string refusal(const std::string& bytes) {
    write_file(folder / "picture", bytes);
    try {
      read_picture(folder / "picture");
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  const Scratch folder;
};

class PictureTest : public BadPicture, public testing::WithParamInterface<const char*> {};

TEST_P(PictureTest, IsDecodedAsRgb) {
  write_file(folder / "picture", small_file(GetParam()));
  const Picture picture = read_picture(folder / "picture");
  ASSERT_EQ(picture.width, 40);
  ASSERT_EQ(picture.height, 20);
  ASSERT_EQ(picture.pixels.size(), std::size_t{40 * 20 * 3});
  EXPECT_GT(picture.pixels[0], 180);           // red on the left
  EXPECT_GT(picture.pixels[39 * 3 + 2], 180);  // blue on the right
}

using DrawnPicture = PictureTest;

// A large JPEG is decoded smaller, never below what is asked for; other formats come whole.
TEST_P(DrawnPicture, ComesSmallerWhereThatIsEnough) {
  cv::Mat large(600, 1000, CV_8UC3, cv::Scalar(200, 0, 0));
  large(cv::Rect(0, 0, 500, 600)) = cv::Scalar(0, 0, 200);
  write_file(folder / "picture", encoded(GetParam(), large));
  const bool jpeg = std::string(GetParam()) == ".jpg";
  for (const auto& [least, height] : std::vector<std::pair<int, int>>{
           {0, 600}, {301, 600}, {300, 300}, {151, 300}, {150, 150}, {75, 75}, {10, 75}}) {
    const Picture picture = read_picture(folder / "picture", {.shorter = least});
    EXPECT_EQ(picture.height, jpeg ? height : 600) << least;
    const auto row = static_cast<std::size_t>(picture.width) * 3;
    EXPECT_GT(picture.pixels[0], 180);        // red on the left
    EXPECT_GT(picture.pixels[row - 1], 180);  // blue on the right
  }
}

// Viewers show what is there of a file that is cut off; next to nothing is no picture.
TEST_P(PictureTest, IsReadWhileEnoughIsThere) {
  const std::string whole = small_file(GetParam());
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 8) {
    const std::string said = refusal(whole.substr(0, length));
    if (length >= whole.size() / 8) continue;
    const auto head = std::as_bytes(std::span(whole).first(length));
    const bool known = picture_format(head) != PictureFormat::none;
    EXPECT_THAT(said, HasSubstr(known ? "damaged" : length == 0 ? "empty" : "not a picture"));
  }
  const std::string cut = whole.substr(0, whole.size() - 3);
  const Picture picture = decode_picture(std::as_bytes(std::span(cut)));
  EXPECT_THAT(picture.warning, HasSubstr("what is there is read"));
  EXPECT_GT(picture.pixels[0], 180);
  EXPECT_EQ(decode_picture(std::as_bytes(std::span(whole))).warning, "");
}

// Whatever byte of its data is broken: refused or read, no crash.

TEST_P(PictureTest, SurvivesBrokenBytes) {
  const std::string whole = small_file(GetParam());
  for (std::size_t at = 0; at < whole.size(); at += 1 + at / 16) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 0x55);
    write_file(folder / "picture", broken);
    try {
      const Picture picture = read_picture(folder / "picture");
      ASSERT_TRUE(picture.width > 0 && picture.height > 0) << at;
      const std::size_t numbers = std::size_t{3} * static_cast<unsigned>(picture.width) *
                                  static_cast<unsigned>(picture.height);
      EXPECT_EQ(picture.pixels.size(), numbers) << at;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr((folder / "picture").string())) << at;
      EXPECT_THAT(error.what(), Not(HasSubstr("\n"))) << at;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, PictureTest,
                         testing::Values(".png", ".jpg", ".webp", ".heic", ".avif", ".tif"),
                         NamedByText());
INSTANTIATE_TEST_SUITE_P(Formats, DrawnPicture, testing::Values(".png", ".jpg", ".webp", ".tiff"),
                         NamedByText());

TEST_F(BadPicture, IsNamedWithTheReason) {
  EXPECT_THAT(refusal(""), HasSubstr("picture: the file is empty"));
  EXPECT_THAT(
      refusal("a red ball\n"),
      HasSubstr("not a picture (expected JPEG, PNG, GIF, WebP, HEIC, AVIF, JPEG XL, TIFF or raw)"));
  std::string bomb = small_file(".png");
  bomb.replace(16, 8, std::string("\x00\x01\x00\x00\x00\x01\x00\x00", 8));
  EXPECT_THAT(refusal(bomb),
              HasSubstr("too large: 65536 x 65536 pixels (expected at most 1000 million)"));
  EXPECT_THROW(read_picture(folder / "none"), InputError);
}

TEST(PictureOrientation, PutsEachPixelInItsPlace) {
  cv::Mat pixels(1, 40 * 20, CV_8UC3);
  cv::randu(pixels, 0, 256);
  for (std::uint32_t turned = 1; turned <= 8; ++turned) {
    std::string bytes = tiff_file(turned);
    std::copy_n(pixels.data, 3 * pixels.total(), bytes.end() - 3 * 40 * 20);
    const Picture picture = decode_picture(std::as_bytes(std::span(bytes)));
    cv::Mat upright = pixels.reshape(3, turned < 5 ? 20 : 40).clone();
    if (turned >= 5) cv::transpose(upright, upright);
    constexpr int kNone = 2;
    constexpr int kFlips[] = {kNone, 1, -1, 0};  // across, both, down
    if (const int flip = kFlips[(turned - 1) % 4]; flip != kNone) cv::flip(upright, upright, flip);
    ASSERT_EQ(picture.width, upright.cols) << turned;
    EXPECT_TRUE(std::equal(picture.pixels.begin(), picture.pixels.end(), upright.data)) << turned;
  }
}

// Stored in any of the eight ways that the camera may be held.
TEST_F(BadPicture, ATurnedTiffIsSetUpright) {
  for (std::uint32_t turned = 1; turned <= 8; ++turned) {
    write_file(folder / "picture", tiff_file(turned));
    const Picture picture = read_picture(folder / "picture");
    ASSERT_EQ(picture.width, 40) << turned;
    ASSERT_EQ(picture.height, 20) << turned;
    EXPECT_EQ(picture.pixels[0], 230) << turned;
    EXPECT_EQ(picture.pixels[39 * 3 + 2], 230) << turned;
    const std::string bytes = tiff_file(turned);
    EXPECT_EQ(stated_size(std::as_bytes(std::span(bytes))).width, turned < 5 ? 40 : 20) << turned;
  }
}

// The decoder would take memory for what a file states.
TEST_F(BadPicture, StatedSizesAreChecked) {
  const auto tiff = [](std::uint32_t tag, std::uint32_t value) {
    std::string bytes = tiff_file();
    const std::size_t at = bytes.find(tiff_number(tag, 2) + tiff_number(4, 2) + tiff_number(1, 4));
    return bytes.replace(at + 8, 4, tiff_number(value, 4));
  };
  EXPECT_THAT(refusal(tiff(257, 40'000'000)), HasSubstr("too large: 40 x 40000000 pixels"));
  EXPECT_EQ(refusal(tiff(278, 0xFFFFFFFF)), "accepted");  // all in one strip
  EXPECT_EQ(refusal(tiff(278, 0x7FFFFFFF)), "accepted");
  EXPECT_EQ(refusal(tiff(279, 1'000'000)), "accepted");  // all that there is
  EXPECT_THAT(refusal(tiff(256, 0)), HasSubstr("damaged"));
  std::string heic = heic_file();
  for (std::size_t at = 0; (at = heic.find("ispe", at + 1)) != std::string::npos;) {
    heic.replace(at + 8, 8, std::string("\x00\x00\x70\x00\x00\x00\x70\x00", 8));
  }
  EXPECT_THAT(refusal(heic), HasSubstr("too large: 28672 x 28672 pixels, whose decoding takes"));
}

}  // namespace
}  // namespace hinny
