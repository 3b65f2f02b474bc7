#include "vision/thumbnail.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

Picture plain(int width, int height) {
  Picture picture{width, height, {}};
  for (int i = 0; i < width * height; ++i) {
    picture.pixels.insert(picture.pixels.end(), {220, 30, 40});
  }
  return picture;
}

Picture through(const Picture& picture, int longest_side) {
  const std::string jpeg = thumbnail_jpeg(picture, longest_side);
  return decode_picture(std::as_bytes(std::span(jpeg)));
}

TEST(Thumbnail, KeepsShapeAndColours) {
  const Picture small = through(plain(300, 100), 60);
  EXPECT_EQ(small.width, 60);
  EXPECT_EQ(small.height, 20);
  EXPECT_NEAR(small.pixels[0], 220, 6);
  EXPECT_NEAR(small.pixels[2], 40, 6);
}

TEST(Thumbnail, NeverEnlargesAndNeverVanishes) {
  EXPECT_EQ(through(plain(30, 40), 1000).height, 40);
  EXPECT_EQ(through(plain(1, 400), 16).width, 1);
}

}  // namespace
}  // namespace hinny
