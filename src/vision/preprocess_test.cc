#include "vision/preprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::HasSubstr;

std::string refusal_of_sidecar(std::string_view json) {
  try {
    parse_preprocess(json, "net.onnx.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Preprocess, ReadsEveryKey) {
  const Preprocess how = parse_preprocess(
      R"({"size": 256, "resize": "shorter", "crop": 224, "interpolation": "bicubic",
          "mean": [1, 2.5, 3], "scale": 0.5,
          "channels": "bgr", "ten_crop": true, "input": "x", "output": "y"})",
      "f");
  EXPECT_EQ(how.size, 256);
  EXPECT_EQ(how.resize, Preprocess::Resize::shorter);
  EXPECT_EQ(how.crop, 224);
  EXPECT_EQ(how.interpolation, Preprocess::Interpolation::bicubic);
  EXPECT_EQ(how.mean, (std::array<float, 3>{1, 2.5F, 3}));
  EXPECT_EQ(how.scale, (std::array<float, 3>{0.5F, 0.5F, 0.5F}));
  EXPECT_FALSE(how.rgb);
  EXPECT_EQ(how.crops(), 10);
  EXPECT_EQ(how.input, "x");
  EXPECT_EQ(how.output, "y");
}

TEST(Preprocess, SizeAloneIsEnough) {
  const Preprocess how = parse_preprocess(R"({"size": 99})", "f");
  EXPECT_EQ(how.crop, 99);
  EXPECT_EQ(how.resize, Preprocess::Resize::squash);
  EXPECT_EQ(how.interpolation, Preprocess::Interpolation::area);
  EXPECT_TRUE(how.rgb);
}

TEST(Preprocess, WhatIsWrongIsNamedWithWhatIsExpected) {
  const std::pair<const char*, const char*> table[] = {
      {"{\"size\": 3,\n \"crop\": }", "net.onnx.json:2: broken JSON"},
      {"[1]", "not a JSON object"},
      {"{}", "\"size\" is missing"},
      {R"({"size": 8, "meen": 1})", "unknown key \"meen\" (did you mean 'mean'?)"},
      {R"({"size": "8"})", "\"size\" is \"8\" (expected a whole number from 1 to 4096)"},
      {R"({"size": 0})", "\"size\" is 0"},
      {R"({"size": 1e99})", "\"size\" is 1e+99"},
      {R"({"size": 18446744073709551615})", "\"size\" is 18446744073709551615"},
      {R"({"size": 8, "crop": 9})", "\"crop\" is 9 (expected a whole number from 1 to 8)"},
      {R"({"size": 8, "resize": "fit"})", "expected \"squash\" or \"shorter\""},
      {R"({"size": 8, "resize": 7})", "\"resize\" is 7"},
      {R"({"size": 8, "interpolation": "cubic"})", "\"area\" or \"bilinear\" or \"bicubic\""},
      {R"({"size": 8, "mean": [1, 2]})", "\"mean\" is [1,2] (expected a number, or three"},
      {R"({"size": 8, "scale": 1e99})", "\"scale\" is 1e+99"},
      {R"({"size": 8, "channels": "RGB"})", "expected \"bgr\" or \"rgb\""},
      {R"({"size": 8, "ten_crop": 1})", "expected true or false"},
      {R"({"size": 8, "input": ""})", "expected a name in quotes"},
  };
  for (const auto& [json, message] : table)
    EXPECT_THAT(refusal_of_sidecar(json), HasSubstr(message)) << json;
}

TEST(Preprocess, IsFoundBesideTheNetworkOrSaysWhatToWrite) {
  const Scratch folder;
  try {
    preprocess_beside(folder / "net.onnx");
    ADD_FAILURE() << "nothing is there";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("net.onnx.json like {\"size\": 256"));
  }
  write_file(folder / "net.json", R"({"size": 2})");
  EXPECT_EQ(preprocess_beside(folder / "net.onnx").size, 2);
  write_file(folder / "net.onnx.json", R"({"size": 3})");
  EXPECT_EQ(preprocess_beside(folder / "net.onnx").size, 3);
}

// A picture of 1 row whose red runs 0, 10, 20, ...; green is 100, blue 200.
Picture ramp(int width, int height) {
  Picture picture{width, height,
                  std::vector<std::uint8_t>(static_cast<std::size_t>(width * height) * 3)};
  std::uint8_t* pixel = picture.pixels.data();
  for (int i = 0; i < width * height; ++i, pixel += 3) {
    pixel[0] = static_cast<std::uint8_t>(i % width * 10);
    pixel[1] = 100;
    pixel[2] = 200;
  }
  return picture;
}

TEST(Prepare, NormalisesEachChannelInTheNetworksOrder) {
  const Picture picture = ramp(2, 2);
  const Preprocess how = parse_preprocess(
      R"({"size": 2, "mean": [100, 0, 0], "scale": [1, 1, 0.5], "channels": "bgr"})", "f");
  EXPECT_EQ(prepare(picture, how),
            (std::vector<float>{100, 100, 100, 100, 100, 100, 100, 100, 0, 5, 0, 5}));
}

TEST(Prepare, ShorterSideThenCentreKeepsTheMiddle) {
  const Preprocess how = parse_preprocess(R"({"size": 2, "crop": 2, "resize": "shorter"})", "f");
  const std::vector<float> input = prepare(ramp(6, 2), how);
  EXPECT_EQ(std::vector<float>(input.begin(), input.begin() + 4),
            (std::vector<float>{20, 30, 20, 30}));
}

TEST(Prepare, TenCropsAreCentreAndCornersEachWithItsMirrorImage) {
  const Preprocess how = parse_preprocess(R"({"size": 4, "crop": 1, "ten_crop": true})", "f");
  Picture picture = ramp(4, 4);
  for (std::size_t i = 0; i < 16; ++i) picture.pixels[i * 3] = static_cast<std::uint8_t>(i);
  const std::vector<float> input = prepare(picture, how);
  std::vector<float> red;
  for (std::size_t i = 0; i < 10; ++i) red.push_back(input[i * 3]);
  EXPECT_EQ(red, (std::vector<float>{5, 5, 0, 0, 3, 3, 12, 12, 15, 15}));

  const Preprocess wide = parse_preprocess(R"({"size": 2, "ten_crop": true})", "f");
  const std::vector<float> pairs = prepare(ramp(2, 2), wide);
  EXPECT_EQ(std::vector<float>(pairs.begin(), pairs.begin() + 2), (std::vector<float>{0, 10}));
  EXPECT_EQ(std::vector<float>(pairs.begin() + 12, pairs.begin() + 14),
            (std::vector<float>{10, 0}));
}

TEST(Prepare, AnEndlesslyLongPictureStaysSmall) {
  const Preprocess how = parse_preprocess(R"({"size": 64, "resize": "shorter"})", "f");
  EXPECT_EQ(prepare(ramp(200000, 1), how).size(), std::size_t{3} * 64 * 64);
}

}  // namespace
}  // namespace hinny
