#include "data/features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/random.h"
#include "base/threads.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using testing::ThrowsMessage;

class FeaturesTest : public testing::Test {
 protected:
  // Images a, b, c, d; features for c, x, a, b: another order, one unknown, none for d.
  void SetUp() override {
    fs::create_directories(folder / "features");
    std::ofstream images(folder / "images.jsonl");
    for (const char* id : {"a", "b", "c", "d"}) {
      images << R"({"image": ")" << id << R"(", "split": "train"})" << '\n';
    }
    images.close();
    write_file(folder / "captions.jsonl", "");
    write_file(folder / "features/ids.txt", "c\nx\na\nb\n");
    write_npy(folder / "features/flat.npy", std::vector<float>{3, 30, 9, 90, 1, 10, 2, 20}, {4, 2});
    write_npy(folder / "features/grid.npy",
              std::vector<float>{0.3F, 5, 7, 0.9F, 5, 7, 0.1F, 5, 7, 0.2F, 5, 7}, {4, 3, 1});
  }

  Features open(const std::string& names) const {
    return Features::open(Dataset::load(folder), names);
  }
  void expect_refused(const std::string& names, const std::string& message) const {
    EXPECT_THAT([&] { open(names); }, ThrowsMessage<InputError>(HasSubstr(message))) << names;
  }
  static std::vector<float> gather(const Features& features, const std::vector<int>& images) {
    std::vector<float> rows(images.size() * static_cast<std::size_t>(features.dim()));
    features.gather(images, rows);
    return rows;
  }

  const Scratch folder;
};

TEST_F(FeaturesTest, AVersionNeedNotBeNamedWhereThereIsOne) {
  fs::copy(folder / "features/flat.npy", folder / "features/net-1.npy");
  EXPECT_EQ(open("grid+net").names(), "grid+net-1");
  fs::copy(folder / "features/flat.npy", folder / "features/net-2.npy");
  expect_refused("net", "no features 'net'");
}

TEST_F(FeaturesTest, RowsFollowTheImagesAndFilesAreJoined) {
  const Features features = open("grid+flat");
  EXPECT_EQ(features.dim(), 5);
  EXPECT_EQ(features.parts()[0].dim, 3);
  EXPECT_THAT(gather(features, {2, 0}), ElementsAre(0.3F, 5, 7, 3, 30, 0.1F, 5, 7, 1, 10));
}

TEST_F(FeaturesTest, RegionsOfSeveralFilesAreJoinedRegionByRegion) {
  std::vector<float> rows(24);
  std::iota(rows.begin(), rows.end(), 0.0F);
  write_npy(folder / "features/wide.npy", rows, {4, 3, 2});
  const Features features = open("grid+wide");
  EXPECT_EQ(features.regions(), 3);
  EXPECT_EQ(features.dim(), 9);
  EXPECT_THAT(gather(features, {2, 0}), ElementsAre(0.3F, 0, 1, 5, 2, 3, 7, 4, 5,  //
                                                    0.1F, 12, 13, 5, 14, 15, 7, 16, 17));
  EXPECT_EQ(open("grid").regions(), 3);
  EXPECT_EQ(open("grid+flat").regions(), 1);  // they do not have the same
}

TEST_F(FeaturesTest, AnImageWithoutFeaturesIsAnErrorWhenItIsUsed) {
  const Features features = open("flat");
  EXPECT_TRUE(features.has(0));
  EXPECT_FALSE(features.has(3));
  EXPECT_THAT(
      [&] {
        gather(features, {0, 3});
      },
      ThrowsMessage<InputError>(HasSubstr("no features for image 'd'")));
}

TEST_F(FeaturesTest, ImagesWithoutFeaturesAreLeftOutAndCounted) {
  const Features features = open("flat");
  testing::internal::CaptureStderr();
  EXPECT_THAT(usable_images(features, {3, 2, 0}, "val"), ElementsAre(2, 0));
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT([&] { usable_images(features, {3}, "val"); },
              ThrowsMessage<InputError>(HasSubstr("no image of split 'val' has features")));

  testing::internal::CaptureStderr();
  report_left_out(features, std::vector<int>{0, 1}, "test");
  report_left_out(features, std::vector<int>{3, 2, 0}, "val");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "val: 1 of 3 images have no features and are left out\n");
}

TEST_F(FeaturesTest, IdsThatDifferInSpellingAreShownOfBothSides) {
  write_file(folder / "features/ids.txt", "a.jpg\nb.jpg\nc.jpg\nd.jpg\n");
  EXPECT_THAT(
      [&] {
        usable_images(open("flat"), {0, 1}, "train");
      },
      ThrowsMessage<InputError>(HasSubstr(
          "no image of split 'train' has features; images.jsonl has 'a', ids.txt 'a.jpg', "
          "which differs in the ending")));
  write_file(folder / "features/ids.txt", "x1\nx2\nx3\nx4\n");
  EXPECT_THAT(
      [&] {
        usable_images(open("flat"), {0, 1}, "train");
      },
      ThrowsMessage<InputError>(HasSubstr("images.jsonl has 'a', ids.txt 'x1'")));
  write_file(folder / "features/ids.txt", "a\nb\nc\nD\n");
  testing::internal::CaptureStderr();
  report_left_out(open("flat"), std::vector<int>{0, 3}, "val");
  EXPECT_THAT(testing::internal::GetCapturedStderr(),
              HasSubstr("left out; images.jsonl has 'd', ids.txt 'D', which differs in capitals"));
}

TEST_F(FeaturesTest, IdsMayHaveAMarkBeforeThemAndAnyBlanksWithin) {
  write_file(folder / "images.jsonl",
             "\uFEFF{\"image\": \"a\u00A0\u0085b\u2028\", \"split\": \"train\"}\r\n");
  write_file(folder / "features/ids.txt", "\uFEFFa\u00A0\u0085b\u2028\r\nc\r\nd\r\ne\r\n");
  EXPECT_THAT(gather(open("flat"), {0}), ElementsAre(3, 30));
}

TEST_F(FeaturesTest, NamesAreChecked) {
  expect_refused("falt", "no features 'falt' (did you mean 'flat'?) (expected one of flat, grid)");
  expect_refused("", "no features ''");
  expect_refused("flat+", "no features ''");
  expect_refused("flat+flat", "features 'flat' named twice");
  expect_refused("../features/flat", "no features '../features/flat'");
  fs::remove_all(folder / "features");
  expect_refused("flat", "no features here");
}

TEST_F(FeaturesTest, FilesThatDoNotFitAreNamed) {
  write_npy(folder / "features/short.npy", std::vector<float>{1, 2, 3}, {3, 1});
  expect_refused("short", "short.npy: 3 rows (expected 4, one for each line of ids.txt)");
  write_npy(folder / "features/bad.npy",
            std::vector<float>{1, 2, std::numeric_limits<float>::quiet_NaN(), 4}, {4, 1});
  expect_refused("bad", "bad.npy: NaN or infinity in row 2 (image 'a')");
  write_file(folder / "features/ids.txt", "c\na\nc\nb\n");
  expect_refused("flat", "ids.txt:3: image 'c' for the second time");
  write_file(folder / "features/ids.txt", "c\n\na\nb\n");
  expect_refused("flat", "ids.txt:2: empty line");
}

TEST_F(FeaturesTest, StandardisedTrainingRowsHaveMeanZeroAndVarianceOne) {
  const Features features = open("flat+grid");
  const std::vector<int> images = {0, 1, 2};
  const auto transform = FeatureTransform::fit(features, images, {});
  std::vector<float> rows = gather(features, images);
  transform.apply(rows);
  const float one = std::sqrt(1.5F);  // of 1, 2, 3
  // The last two numbers never vary: scale 0.
  const std::vector<float> expected = {-one, -one, -one, 0, 0, 0, 0, 0, 0, 0, one, one, one, 0, 0};
  EXPECT_THAT(rows, Pointwise(FloatNear(1e-5F), expected));
  EXPECT_EQ(transform.scale()[3], 0);
}

TEST_F(FeaturesTest, SquareRootsKeepTheSignAndComeBeforeStandardising) {
  const FeatureTransform roots({.square_root = true, .standardise = true}, {1, 1}, {2, 2});
  std::vector<float> rows = {9, -9, 4, 0};
  roots.apply(rows);
  EXPECT_THAT(rows, ElementsAre(4, -8, 2, -2));
  EXPECT_THROW(roots.apply(std::span(rows).first(3)), std::invalid_argument);

  write_npy(folder / "features/square.npy", std::vector<float>{1, 0, 9, 0}, {4, 1});
  const auto fitted = FeatureTransform::fit(open("square"), std::vector<int>{0, 2},
                                            {.square_root = true, .standardise = true});
  EXPECT_THAT(fitted.mean(), ElementsAre(2));  // of 3 and 1
  EXPECT_THAT(fitted.scale(), ElementsAre(1));
}

TEST_F(FeaturesTest, ASmallVarianceBesideALargeMeanIsKept) {
  write_npy(folder / "features/large.npy", std::vector<float>{1e6F, 0, 1e6F + 1, 1e6F + 2}, {4, 1});
  const auto fitted = FeatureTransform::fit(open("large"), std::vector<int>{0, 1, 2}, {});
  EXPECT_FLOAT_EQ(fitted.scale()[0], std::sqrt(1.5F));
}

TEST_F(FeaturesTest, StatisticsThatDoNotFitTheOptionsAreRefused) {
  EXPECT_THROW(FeatureTransform({false, true}, {}, {}), InputError);
  EXPECT_THROW(FeatureTransform({false, true}, {1}, {1, 2}), InputError);
  EXPECT_THROW(FeatureTransform({false, false}, {1}, {1}), InputError);
  EXPECT_THROW(FeatureTransform({false, true}, {std::nanf("")}, {1}), InputError);
}

TEST_F(FeaturesTest, TheFitDoesNotDependOnTheNumberOfThreads) {
  constexpr std::size_t kImages = 500, kDim = 7;
  std::ofstream images(folder / "images.jsonl"), ids(folder / "features/ids.txt");
  for (std::size_t i = 0; i < kImages; ++i) {
    images << R"({"split": "train", "image": ")" << i << "\"}\n";
    ids << i << '\n';
  }
  images.close();
  ids.close();
  std::vector<float> numbers(kImages * kDim);
  Random random(1);
  for (float& number : numbers) number = static_cast<float>(random.normal());
  write_npy(folder / "features/random.npy", numbers, {kImages, kDim});

  const Features features = open("random");
  std::vector<int> all(kImages);
  std::iota(all.begin(), all.end(), 0);
  const int before = thread_count();
  set_thread_count(1);
  const auto one = FeatureTransform::fit(features, all, {});
  set_thread_count(3);
  const auto three = FeatureTransform::fit(features, all, {});
  set_thread_count(before);
  EXPECT_EQ(one.mean(), three.mean());
  EXPECT_EQ(one.scale(), three.scale());
}

}  // namespace
}  // namespace hinny
