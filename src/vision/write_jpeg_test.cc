#include "vision/write_jpeg.h"

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "base/error.h"
#include "vision/picture.h"

namespace hinny {
namespace {

TEST(WriteJpeg, IsReadAgain) {
  std::vector<std::uint8_t> red;
  for (int i = 0; i < 40 * 20; ++i) red.insert(red.end(), {220, 30, 40});
  for (const bool progressive : {false, true}) {
    const std::string file = write_jpeg({red.data(), 40, 20}, {95, progressive});
    const Picture picture = decode_picture(std::as_bytes(std::span(file)));
    EXPECT_EQ(picture.width, 40);
    EXPECT_EQ(picture.height, 20);
    EXPECT_NEAR(picture.pixels[0], 220, 6);
    EXPECT_NEAR(picture.pixels[1], 30, 6);
    EXPECT_EQ(picture.warning, "");
  }
  const std::string grey = write_jpeg({red.data(), 40, 20, 1});
  EXPECT_EQ(decode_picture(std::as_bytes(std::span(grey))).width, 40);
}

TEST(WriteJpeg, SidesThatJpegDoesNotHaveAreAFailure) {
  const std::uint8_t pixel[3] = {};
  EXPECT_THROW(write_jpeg({pixel, 0, 1}), Failure);
  EXPECT_THROW(write_jpeg({pixel, 65'501, 1}), Failure);
}

}  // namespace
}  // namespace hinny
