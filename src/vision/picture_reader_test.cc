#include "vision/picture_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "base/request_error.h"
#include "tests/scratch.h"
#include "vision/picture_encoder.h"
#include "vision/tiny_network.h"
#include "vision/written_pictures_fixture.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class PictureReaderTest : public testing::Test {
 protected:
  // The built-in descriptor, and a network that gives each of 4 x 4 pixels back.
  void SetUp() override {
    write_file(net, tiny_network("Identity", 4));
    write_file(net + ".json", R"({"size": 4, "scale": 1})");
    builtin_dim = static_cast<std::size_t>(make_builtin_encoder()->row_size());
    spec.names = "builtin-1+net";
    spec.parts = {{"builtin-1", builtin_dim}, {"net", 48}};
    write_file(red, png_file(cv::Mat(8, 8, CV_8UC3, cv::Scalar(0, 0, 200))));
    write_file(blue, png_file(cv::Mat(8, 8, CV_8UC3, cv::Scalar(90, 0, 0))));
    write_file(broken, "text");
  }
  std::unique_ptr<const PictureReader> reader() const {
    return open_picture_reader(spec, {"builtin-1", net});
  }

  Scratch scratch;
  const fs::path folder{scratch};
  const std::string net = (folder / "net.onnx").string();
  const fs::path red = folder / "red.png", blue = folder / "blue.png", broken = folder / "x.png";
  FeatureSpec spec;
  std::size_t builtin_dim = 0;
};

TEST_F(PictureReaderTest, AFileItsBytesAndManyFilesHaveTheSameFeatures) {
  const auto pictures = reader();
  std::vector<std::vector<float>> rows;
  std::vector<std::string> notes;
  const std::vector<fs::path> files = {red, broken, blue};
  pictures->features_of(files, [&](std::size_t i, std::span<const float> row, const auto& note) {
    EXPECT_EQ(i, rows.size());
    rows.emplace_back(row.begin(), row.end());
    notes.push_back(note);
  });
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].size(), builtin_dim + 48);
  EXPECT_NE(rows[0], rows[2]);
  EXPECT_THAT(rows[1], IsEmpty());
  EXPECT_THAT(notes, ElementsAre("", HasSubstr("x.png"), ""));
  EXPECT_EQ(pictures->features_of(PictureFile{red}), rows[0]);
  EXPECT_EQ(pictures->features_of(PictureBytes{read_file(blue)}), rows[2]);
}

TEST_F(PictureReaderTest, SeveralAtOnceHaveTheFeaturesThatEachHasAlone) {
  const auto pictures = reader();
  std::vector<GivenPicture> given;
  for (int i = 0; i < 40; ++i) {  // more than a batch
    given.emplace_back(PictureFile{i % 3 == 0 ? red : blue});
  }
  const auto rows = pictures->features_of_each(given);
  ASSERT_EQ(rows.size(), given.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i], pictures->features_of(given[i])) << i;
  }
  EXPECT_THAT(pictures->features_of_each({}), IsEmpty());
  given[7] = PictureBytes{"text"};
  EXPECT_THAT([&] { pictures->features_of_each(given); },
              ThrowsMessage<RequestError>(HasSubstr("picture 8: ")));
}

TEST_F(PictureReaderTest, ThreadsThatAskAtTheSameTimeGetTheirOwn) {
  const auto pictures = reader();
  const std::vector<float> of_red = pictures->features_of(PictureFile{red});
  const std::vector<float> of_blue = pictures->features_of(PictureFile{blue});
  ASSERT_NE(of_red, of_blue);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 30; ++i) {
        const bool is_red = (t + i) % 2 == 0;
        EXPECT_EQ(pictures->features_of(PictureFile{is_red ? red : blue}),
                  is_red ? of_red : of_blue);
      }
    });
  }
}

TEST_F(PictureReaderTest, WhatIsNoPictureIsTheFaultOfTheFileOrOfWhoAsks) {
  const auto pictures = reader();
  EXPECT_THROW(pictures->features_of(PictureBytes{"text"}), RequestError);
  try {
    pictures->features_of(PictureFile{broken});
    ADD_FAILURE() << "was read";
  } catch (const RequestError& error) {
    ADD_FAILURE() << error.what();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("x.png"));
  }
}

TEST_F(PictureReaderTest, EncodersAreOpenedWithTheFirstPictureAndMustFitTheModel) {
  spec.parts[1].dim = 47;
  const auto pictures = reader();
  EXPECT_EQ(pictures->facts_of(red).taken, std::nullopt);
  EXPECT_THAT(pictures->version(), HasSubstr("build"));
  EXPECT_THAT([&] { pictures->features_of(PictureFile{red}); },
              ThrowsMessage<InputError>(HasSubstr("makes 48 features of a picture (expected the 47 "
                                                  "of net that the model was trained on)")));
  const auto fewer = open_picture_reader(spec, {"builtin-1"});
  EXPECT_THAT([&] { fewer->features_of(PictureFile{red}); },
              ThrowsMessage<InputError>(HasSubstr("1 encoders of pictures for builtin-1+net")));
}

}  // namespace
}  // namespace hinny
