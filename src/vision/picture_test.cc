#include "vision/picture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <opencv2/imgcodecs.hpp>

#include "base/error.h"
#include "base/files.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::HasSubstr;

// 40 x 20 pixels, the left half red, the right half blue, with some noise to make the file long.
std::string encoded(const std::string& extension) {
  cv::Mat picture(20, 40, CV_8UC3);
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      const auto noise = static_cast<std::uint8_t>((x * 7 + y * 13) % 20);
      picture.at<cv::Vec3b>(y, x) = x < 20 ? cv::Vec3b(noise, 0, 230) : cv::Vec3b(230, 0, noise);
    }
  }
  std::vector<std::uint8_t> bytes;
  cv::imencode(extension, picture, bytes);
  return {bytes.begin(), bytes.end()};
}

class PictureTest : public testing::TestWithParam<const char*> {
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

TEST_P(PictureTest, IsDecodedAsRgb) {
  write_file(folder / "picture", encoded(GetParam()));
  const Picture picture = read_picture(folder / "picture");
  ASSERT_EQ(picture.width, 40);
  ASSERT_EQ(picture.height, 20);
  ASSERT_EQ(picture.pixels.size(), std::size_t{40 * 20 * 3});
  EXPECT_GT(picture.pixels[0], 180);           // red on the left
  EXPECT_GT(picture.pixels[39 * 3 + 2], 180);  // blue on the right
}

// A large JPEG is decoded smaller, never below what is asked for; other formats come whole.
TEST_P(PictureTest, ComesSmallerWhereThatIsEnough) {
  cv::Mat large(600, 1000, CV_8UC3, cv::Scalar(200, 0, 0));
  large(cv::Rect(0, 0, 500, 600)) = cv::Scalar(0, 0, 200);
  std::vector<std::uint8_t> bytes;
  cv::imencode(GetParam(), large, bytes);
  write_file(folder / "picture", std::string(bytes.begin(), bytes.end()));
  const bool jpeg = std::string(GetParam()) == ".jpg";
  for (const auto& [least, height] : std::vector<std::pair<int, int>>{
           {0, 600}, {301, 600}, {300, 300}, {151, 300}, {150, 150}, {75, 75}, {10, 75}}) {
    const Picture picture = read_picture(folder / "picture", least);
    EXPECT_EQ(picture.height, jpeg ? height : 600) << least;
    const auto row = static_cast<std::size_t>(picture.width) * 3;
    EXPECT_GT(picture.pixels[0], 180);        // red on the left
    EXPECT_GT(picture.pixels[row - 1], 180);  // blue on the right
  }
}

// Wherever the file is cut, and whatever byte of its data is broken: refused or read, no crash.
TEST_P(PictureTest, IsRefusedWhenCutOff) {
  const std::string whole = encoded(GetParam());
  for (std::size_t length = 0; length < whole.size(); length += 1 + length / 8) {
    EXPECT_NE(refusal(whole.substr(0, length)), "accepted") << length << " bytes";
  }
  EXPECT_THAT(refusal(whole.substr(0, whole.size() - 3)), HasSubstr("cut off"));
}

TEST_P(PictureTest, SurvivesBrokenBytes) {
  const std::string whole = encoded(GetParam());
  for (std::size_t at = 0; at < whole.size(); at += 1 + at / 16) {
    std::string broken = whole;
    broken[at] = static_cast<char>(broken[at] ^ 0x55);
    refusal(broken);
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, PictureTest, testing::Values(".png", ".jpg", ".webp"));

class BadPicture : public PictureTest {};

TEST_P(BadPicture, IsNamedWithTheReason) {
  EXPECT_THAT(refusal(""), HasSubstr("picture: the file is empty"));
  EXPECT_THAT(refusal("a red ball\n"), HasSubstr("not a picture (expected JPEG, PNG or WebP)"));
  std::string bomb = encoded(".png");
  bomb.replace(16, 8, std::string("\x00\x01\x00\x00\x00\x01\x00\x00", 8));
  EXPECT_THAT(refusal(bomb), HasSubstr("65536 x 65536 pixels (expected at most 50 million)"));
  EXPECT_THROW(read_picture(folder / "none"), InputError);
}

INSTANTIATE_TEST_SUITE_P(Once, BadPicture, testing::Values(""));

}  // namespace
}  // namespace hinny
