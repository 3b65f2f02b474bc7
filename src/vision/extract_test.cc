#include "vision/extract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/npy.h"
#include "base/read_file.h"
#include "tests/scratch.h"
#include "vision/written_pictures_fixture.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::ThrowsMessage;

// Describes a picture by its first pixel.
class FirstPixel : public PictureEncoder {
 public:
  std::string name() const override { return "first"; }
  std::vector<std::int64_t> shape() const override { return {3}; }
  std::vector<float> prepare(const Picture& picture) const override {
    return {picture.pixels.begin(), picture.pixels.begin() + 3};
  }
  void encode(std::span<const std::vector<float>> prepared, std::span<float> rows) override {
    batches.push_back(prepared.size());
    for (std::size_t i = 0; i < prepared.size(); ++i) {
      std::copy(prepared[i].begin(), prepared[i].end(), rows.begin() + static_cast<long>(i) * 3);
    }
  }
  std::vector<std::size_t> batches;
};

class ExtractTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder / "images");
    DatasetWriter writer(folder);
    for (int i = 0; i < 7; ++i) {
      const std::string id = std::string(1, static_cast<char>('a' + i));
      writer.image({id, "train", i == 6 ? "" : id + ".png"});
      writer.caption(id, "en", "a picture", Source::human_original);
      if (i < 6) draw(id, i * 10);
    }
    writer.commit();
  }

  void draw(const std::string& id, int red) {
    write_file(folder / "images" / (id + ".png"),
               png_file(cv::Mat(8, 8, CV_8UC3, cv::Scalar(0, 0, red))));
  }
  void damage() {
    const fs::path b = folder / "images" / "b.png";
    fs::resize_file(b, fs::file_size(b) / 2);
    write_file(folder / "images" / "d.png", "text");
    fs::remove(folder / "images" / "e.png");
  }
  ExtractReport extract() { return extract_features(Dataset::load(folder), encoder, options); }
  ExtractReport merge() { return merge_features(Dataset::load(folder), encoder, options); }
  void make_parts(std::size_t total) {
    for (std::size_t i = 1; i <= total; ++i) {
      options.part = Part{i, total};
      extract();
    }
    options.part.reset();
  }
  std::string refusal() {
    try {
      extract();
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  }
  std::vector<float> reds(const std::string& name = "first") {
    const NpyArray array = NpyArray::open(folder / "features" / (name + ".npy"));
    std::vector<float> values;
    std::vector<float> row(3);
    for (std::int64_t i = 0; i < array.rows(); ++i) {
      array.row(i, row);
      values.push_back(row[0]);
    }
    return values;
  }
  std::string ids() { return read_file(folder / "features" / "ids.txt"); }

  const Scratch folder;
  FirstPixel encoder;
  ExtractOptions options;
};

TEST_F(ExtractTest, SkipsNamesAndCountsWhatItCannotRead) {
  damage();
  options.batch = 2;
  const ExtractReport report = extract();
  EXPECT_EQ(ids(), "a\nc\nf\n");
  EXPECT_THAT(reds(), ElementsAre(0, 20, 50));
  EXPECT_EQ(report.rows, 3);
  EXPECT_EQ(report.without_row, 4);
  std::vector<std::string> skipped;
  for (const SkippedPicture& picture : report.skipped) skipped.push_back(picture.image);
  EXPECT_THAT(skipped, ElementsAre("b", "d", "e", "g"));
  EXPECT_THAT(report.skipped[0].why, HasSubstr("b.png: damaged: cut off"));
  EXPECT_THAT(report.skipped[1].why, HasSubstr("d.png: not a picture"));
  EXPECT_THAT(report.skipped[3].why, HasSubstr("names no file"));
}

TEST_F(ExtractTest, FinishedFeaturesAreLeftAlone) {
  extract();
  encoder.batches.clear();
  const ExtractReport again = extract();
  EXPECT_TRUE(again.already_there);
  EXPECT_EQ(again.rows, 6);
  EXPECT_TRUE(encoder.batches.empty());

  write_file(folder / "features" / "ids.txt", "a\n");
  EXPECT_THAT(refusal(), HasSubstr("there already, as [6, 3] (expected [1, 3]; --force"));
}

TEST_F(ExtractTest, ASecondEncoderKeepsToTheRowsOfTheFirst) {
  damage();
  extract();
  draw("b", 99);  // repaired, but it has no row
  options.name = "second";
  EXPECT_EQ(extract().without_row, 4);
  EXPECT_THAT(reds("second"), ElementsAre(0, 20, 50));

  options.name = "third";
  write_file(folder / "images" / "c.png", "text");
  EXPECT_THAT(refusal(), HasSubstr("image 'c' has a row in features/ids.txt, but: "));
  fs::remove(folder / "images" / "f.png");
  EXPECT_THAT(refusal(), HasSubstr("1 of its 3 images have no picture"));
  EXPECT_FALSE(fs::exists(folder / "features" / "third.npy"));
}

TEST_F(ExtractTest, ForceBeginsAnewUnlessOtherFeaturesDependOnTheRows) {
  damage();
  extract();
  draw("b", 99);
  options.force = true;
  EXPECT_EQ(extract().rows, 4);
  EXPECT_EQ(ids(), "a\nb\nc\nf\n");

  options.name = "second";
  extract();
  draw("e", 1);
  EXPECT_EQ(extract().rows, 4);
}

TEST_F(ExtractTest, PartsBecomeTheFileMadeAtOnce) {
  damage();
  options.batch = 2;
  extract();
  const std::string rows = read_file(folder / "features/first.npy"), all_ids = ids();
  for (const std::size_t total : {1U, 2U, 3U, 5U, 9U}) {
    fs::remove_all(folder / "features");
    make_parts(total);
    EXPECT_FALSE(fs::exists(folder / "features/first.npy"));
    const ExtractReport merged = merge();
    EXPECT_EQ(merged.rows, 3);
    EXPECT_EQ(merged.without_row, 4);
    EXPECT_TRUE(read_file(folder / "features/first.npy") == rows) << total;
    EXPECT_EQ(ids(), all_ids);
    std::size_t files = 0;
    for (const auto& item : fs::directory_iterator(folder / "features")) files += item.exists();
    EXPECT_EQ(files, 2U);
  }
  // A second encoder's parts keep to ids.txt.
  options.name = "second";
  make_parts(2);
  merge();
  EXPECT_THAT(reds("second"), ElementsAre(0, 20, 50));
  EXPECT_TRUE(merge().already_there);
}

TEST_F(ExtractTest, APartThatIsThereIsLeftAloneAndAMissingOneIsNamed) {
  options.part = Part{2, 3};
  extract();
  encoder.batches.clear();
  EXPECT_TRUE(extract().already_there);
  EXPECT_TRUE(encoder.batches.empty());
  EXPECT_THAT([&] { merge(); }, ThrowsMessage<InputError>(HasSubstr("missing of 3 parts: 1, 3")));
  EXPECT_FALSE(fs::exists(folder / "features/first.npy"));
  // A merge that was stopped when it had written ids.txt goes on.
  make_parts(3);
  write_file(folder / "features/ids.txt", "a\nb\nc\nd\ne\nf\n");
  EXPECT_EQ(merge().rows, 6);
}

TEST_F(ExtractTest, PartsOfOtherImagesOrOfAnotherEncoderAreRefused) {
  make_parts(2);
  class Other : public FirstPixel {
    std::string identity() const override { return "other"; }
  } other;
  const auto refuses = [&](const PictureEncoder& by) {
    EXPECT_THAT([&] { merge_features(Dataset::load(folder), by, options); },
                ThrowsMessage<InputError>(HasSubstr("other images or by another encoder")));
  };
  refuses(other);
  write_file(folder / "features/ids.txt", "b\na\n");
  refuses(encoder);
  fs::remove(folder / "features/ids.txt");
  write_file(folder / "images.jsonl", R"({"image": "a", "split": "all", "file": "a.png"})");
  write_file(folder / "captions.jsonl", "");
  EXPECT_THAT([&] { merge(); }, ThrowsMessage<InputError>(HasSubstr("no image 'b' is there")));
}

TEST_F(ExtractTest, NothingIsWrittenWhenNothingCanBeRead) {
  fs::remove_all(folder / "images");
  EXPECT_THAT(refusal(), HasSubstr("images: no picture can be read: "));
  EXPECT_TRUE(fs::is_empty(folder / "features"));
}

TEST_F(ExtractTest, RowsThatNameUnknownImagesOrOneTwiceAreRefused) {
  fs::create_directories(folder / "features");
  write_file(folder / "features" / "ids.txt", "a\nx\n");
  EXPECT_THAT(refusal(), HasSubstr("ids.txt:2: the dataset has no image 'x'"));
  write_file(folder / "features" / "ids.txt", "a\na\n");
  EXPECT_THAT(refusal(), HasSubstr("ids.txt:2: image 'a' is listed twice"));
}

TEST_F(ExtractTest, NumbersThatHalfPrecisionCannotHoldAreRefused) {
  class Huge : public FirstPixel {
    void encode(std::span<const std::vector<float>>, std::span<float> rows) override {
      std::fill(rows.begin(), rows.end(), 1e6F);
    }
  } huge;
  EXPECT_THROW(extract_features(Dataset::load(folder), huge, options), InputError);
  EXPECT_TRUE(fs::is_empty(folder / "features"));
}

TEST_F(ExtractTest, NamesThatAreNoFileNamesAreRefused) {
  for (const char* name : {"../x", "a+b", ".x", "a b"}) {
    options.name = name;
    EXPECT_THAT(refusal(), HasSubstr("--name")) << name;
  }
}

}  // namespace
}  // namespace hinny
