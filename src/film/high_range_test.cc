#include "film/high_range.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>

namespace hinny::film {
namespace {

std::array<std::uint8_t, 3> seen(AVColorTransferCharacteristic curve, AVColorPrimaries primaries,
                                 std::array<std::uint8_t, 3> rgb) {
  AVFrame* frame = av_frame_alloc();
  frame->color_trc = curve;
  frame->color_primaries = primaries;
  to_standard_range(*frame, rgb);
  av_frame_free(&frame);
  return rgb;
}

TEST(HighRange, WhiteAsOnPaperIsWhite) {
  for (const auto& [curve, white] : {std::pair{AVCOL_TRC_ARIB_STD_B67, 191},  // 75 %
                                     std::pair{AVCOL_TRC_SMPTE2084, 148}}) {  // 58 %
    const auto level = static_cast<std::uint8_t>(white);
    for (const std::uint8_t number : seen(curve, AVCOL_PRI_BT2020, {level, level, level})) {
      EXPECT_GE(number, 252) << curve;
    }
    for (const std::uint8_t number : seen(curve, AVCOL_PRI_BT2020, {255, 255, 255})) {
      EXPECT_EQ(number, 255) << curve;
    }
    EXPECT_EQ(seen(curve, AVCOL_PRI_BT2020, {0, 0, 0}), (std::array<std::uint8_t, 3>{0, 0, 0}));
    const auto half = static_cast<std::uint8_t>(white / 2);
    const auto grey = seen(curve, AVCOL_PRI_BT709, {half, half, half});
    EXPECT_GT(grey[0], 20);
    EXPECT_LT(grey[0], 170);
  }
}

// A colour of BT.2020 has more of it as one of BT.709.
TEST(HighRange, ColoursAreThoseOfTheScreen) {
  const std::array<std::uint8_t, 3> dull = {150, 100, 100};
  const auto wide = seen(AVCOL_TRC_ARIB_STD_B67, AVCOL_PRI_BT2020, dull);
  const auto narrow = seen(AVCOL_TRC_ARIB_STD_B67, AVCOL_PRI_BT709, dull);
  EXPECT_GT(wide[0], narrow[0]);
  EXPECT_LT(wide[1], narrow[1]);
}

TEST(HighRange, OthersStayAsTheyAre) {
  const std::array<std::uint8_t, 3> rgb = {1, 100, 255};
  EXPECT_EQ(seen(AVCOL_TRC_BT709, AVCOL_PRI_BT709, rgb), rgb);
  EXPECT_EQ(seen(AVCOL_TRC_UNSPECIFIED, AVCOL_PRI_BT2020, rgb), rgb);
}

}  // namespace
}  // namespace hinny::film
