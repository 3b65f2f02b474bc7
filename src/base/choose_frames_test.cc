#include "base/choose_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// Two halves, so that it is not flat.
Glance glance(int brightness) {
  Glance one{};
  for (std::size_t i = 0; i < one.size(); ++i) {
    one[i] = static_cast<std::uint8_t>(i < one.size() / 2 ? brightness : brightness + 20);
  }
  return one;
}
Glance flat(int brightness) {
  Glance one{};
  one.fill(static_cast<std::uint8_t>(brightness));
  return one;
}

TEST(ChooseFrames, TakesTheMiddleOfEachScene) {
  const std::vector<Glance> frames = {glance(10),  glance(12),  glance(11), glance(120),
                                      glance(122), glance(121), glance(60)};
  EXPECT_THAT(choose_frames(frames, 30), ElementsAre(1, 4, 6));
}

TEST(ChooseFrames, OfMoreScenesThanFramesTheMostAlikeAreOne) {
  const std::vector<Glance> frames = {glance(10), glance(30), glance(120), glance(220)};
  EXPECT_THAT(choose_frames(frames, 4), SizeIs(4));
  EXPECT_THAT(choose_frames(frames, 3), ElementsAre(0, 2, 3));
  EXPECT_THAT(choose_frames(frames, 1), SizeIs(1));
}

TEST(ChooseFrames, LeavesOutFramesOfOneColour) {
  const std::vector<Glance> frames = {flat(0), glance(50), flat(0), glance(200), flat(255)};
  EXPECT_THAT(choose_frames(frames, 30), ElementsAre(1, 3));
  const std::vector<Glance> nothing_else = {flat(0), flat(255)};
  EXPECT_THAT(choose_frames(nothing_else, 30), ElementsAre(0, 1));
  EXPECT_THAT(choose_frames({}, 30), IsEmpty());
}

TEST(ChooseFrames, LooksASecondApartOrMore) {
  EXPECT_THAT(moments_of(0, 30), ElementsAre(0));
  EXPECT_THAT(moments_of(800, 30), ElementsAre(400));
  EXPECT_THAT(moments_of(3000, 30), ElementsAre(500, 1500, 2500));
  const auto of_ten_hours = moments_of(36'000'000, 30);
  EXPECT_THAT(of_ten_hours, SizeIs(60));
  EXPECT_EQ(of_ten_hours.front(), 300'000);
  EXPECT_EQ(of_ten_hours.back(), 35'700'000);
}

}  // namespace
}  // namespace hinny
