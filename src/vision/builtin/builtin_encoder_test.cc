#include "vision/builtin/builtin_encoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "base/random.h"
#include "vision/builtin/regions.h"
#include "vision/builtin/shape.h"
#include "vision/builtin/things.h"

namespace hinny {
namespace {

const cv::Scalar kRed(220, 30, 30);
const cv::Scalar kBlue(30, 60, 210);

// A canvas of two even colours, the sky above the sand.
cv::Mat canvas(int side = 224) {
  cv::Mat picture(side, side, CV_8UC3, cv::Scalar(200, 225, 250));
  picture.rowRange(side / 2, side).setTo(cv::Scalar(225, 205, 150));
  return picture;
}

Picture as_picture(const cv::Mat& mat) {
  const cv::Mat whole = mat.clone();
  return {whole.cols, whole.rows, {whole.datastart, whole.dataend}};
}

void ball(cv::Mat& picture, int x, int y, int radius, const cv::Scalar& colour) {
  cv::circle(picture, {x, y}, radius, colour, cv::FILLED, cv::LINE_AA);
}

void square(cv::Mat& picture, int x, int y, int half, const cv::Scalar& colour) {
  cv::rectangle(picture, {x - half, y - half}, {x + half, y + half}, colour, cv::FILLED);
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::pow(a[i] - b[i], 2);
  return std::sqrt(sum);
}

TEST(Things, AreFoundWithColourPlaceAndSizeOnATwoColouredBackground) {
  cv::Mat picture = canvas();
  ball(picture, 60, 70, 30, kRed);
  square(picture, 160, 112, 20, kBlue);  // across the horizon
  const Scene scene = find_things(as_picture(picture));
  ASSERT_EQ(scene.things.size(), 2U);
  EXPECT_NEAR(scene.things[0].x, 30, 2);
  EXPECT_NEAR(scene.things[0].y, 40, 2);
  EXPECT_NEAR(scene.things[0].width, 61, 3);
  EXPECT_GT(scene.things[0].colours[0], 0.9F);  // red
  EXPECT_GT(scene.things[1].colours[5], 0.9F);  // blue
  EXPECT_NEAR(scene.things[1].area, 41 * 41, 90);
}

TEST(Things, AHoleShowsTheBackground) {
  cv::Mat picture = canvas();
  ball(picture, 60, 60, 40, kRed);
  ball(picture, 60, 60, 25, cv::Scalar(200, 225, 250));
  const Scene scene = find_things(as_picture(picture));
  ASSERT_EQ(scene.things.size(), 1U);
  EXPECT_NEAR(scene.things[0].area, 3.14 * (40 * 40 - 25 * 25), 200);
}

TEST(Things, PartsOfOtherColoursBelongToWhatTheyTouch) {
  cv::Mat picture = canvas();
  square(picture, 100, 60, 30, kRed);
  square(picture, 100, 70, 8, kBlue);
  const Scene scene = find_things(as_picture(picture));
  ASSERT_EQ(scene.things.size(), 1U);
  const auto& mask = scene.things[0].mask;
  EXPECT_NEAR(static_cast<double>(std::count(mask.begin(), mask.end(), 2)), 17 * 17, 40);
  EXPECT_GT(scene.things[0].colours[0], 0.9F);
}

TEST(Things, ABackgroundMayHaveAPatternAndPalePatches) {
  cv::Mat picture = canvas();
  for (int y = 120; y < 210; y += 24) picture.rowRange(y, y + 12).setTo(cv::Scalar(170, 120, 80));
  cv::ellipse(picture, {70, 50}, {40, 15}, 0, 0, 360, cv::Scalar(250, 250, 250), cv::FILLED);
  ball(picture, 110, 50, 20, kRed);  // touches the cloud
  square(picture, 110, 170, 20, kBlue);
  const Scene scene = find_things(as_picture(picture));
  ASSERT_EQ(scene.things.size(), 2U);
  for (const Thing& thing : scene.things) EXPECT_NEAR(thing.width, 41, 3);
}

TEST(Things, AThreadDoesNotJoinThem) {
  cv::Mat picture = canvas();
  ball(picture, 60, 60, 20, kRed);
  ball(picture, 130, 60, 20, kRed);
  cv::line(picture, {60, 60}, {130, 60}, cv::Scalar(20, 60, 20), 1);
  EXPECT_EQ(find_things(as_picture(picture)).things.size(), 2U);
}

TEST(Shape, DependsOnTheOutlineMoreThanOnItsSize) {
  const auto code = [](auto draw, int size) {
    cv::Mat picture = canvas();
    draw(picture, 110, 60, size, kRed);
    const Scene scene = find_things(as_picture(picture));
    EXPECT_EQ(scene.things.size(), 1U);
    return describe_shape(scene.things[0]);
  };
  const double same = distance(code(ball, 16), code(ball, 40));
  const double other = distance(code(ball, 16), code(square, 16));
  EXPECT_EQ(code(ball, 16).size(), static_cast<std::size_t>(kShapeSize));
  EXPECT_LT(2 * same, other);
}

TEST(Builtin, GivesTheSameNumbersEachTimeAndOthersForAnotherPicture) {
  cv::Mat one = canvas();
  ball(one, 60, 70, 30, kRed);
  cv::Mat other = canvas();
  square(other, 60, 70, 30, kRed);
  const auto features = describe_picture(as_picture(one));
  EXPECT_EQ(features.size(), static_cast<std::size_t>(builtin_size()));
  EXPECT_EQ(features, describe_picture(as_picture(one)));
  EXPECT_GT(distance(features, describe_picture(as_picture(other))), 1);
}

// The order of the parts is the name's promise: models are trained on it.
TEST(Builtin, MovingAThingChangesItsPlaceButNotItsColour) {
  cv::Mat left = canvas();
  ball(left, 50, 60, 20, kRed);
  cv::Mat right = canvas();
  ball(right, 170, 60, 20, kRed);
  const auto a = describe_picture(as_picture(left));
  const auto b = describe_picture(as_picture(right));
  const auto part = [](const std::vector<float>& all, int begin, int size) {
    return std::vector<float>(all.begin() + begin, all.begin() + begin + size);
  };
  EXPECT_LT(distance(part(a, 8, kColours), part(b, 8, kColours)), 1e-3);
  const int places = 8 + kColours + 4 * kColours;
  EXPECT_GT(distance(part(a, places, 6), part(b, places, 6)), 0.5);
}

TEST(Builtin, CountsWhatItSees) {
  for (int count = 1; count <= 5; ++count) {
    cv::Mat picture = canvas();
    for (int i = 0; i < count; ++i) ball(picture, 25 + i * 40, 50, 16, kBlue);
    EXPECT_NEAR(describe_picture(as_picture(picture))[8 + 5], count, 0.1 * count);
  }
}

TEST(Builtin, CopesWithAnyPicture) {
  Random random(3);
  for (const auto& [width, height] : {std::pair(1, 1), {2, 500}, {300, 200}, {3, 3}}) {
    cv::Mat noise(height, width, CV_8UC3);
    for (std::uint8_t* at = noise.data; at < noise.dataend; ++at) {
      *at = static_cast<std::uint8_t>(random.below(256));
    }
    for (const float number : describe_picture(as_picture(noise))) {
      ASSERT_TRUE(std::isfinite(number) && std::abs(number) < 1000) << number;
    }
  }
}

}  // namespace
}  // namespace hinny
