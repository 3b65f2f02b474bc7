#include "data/importers/coco.h"

#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct CocoTest : ImportTest {
  // Annotations before images: keys of an object have no order.
  std::filesystem::path english = put("captions_train2014.json",
                                      R"({"info": {"year": 2014}, "annotations": [
            {"image_id": 9, "id": 1, "caption": "A cat."}, {"image_id": 25, "caption": "A giraffe."}],
            "images": [{"id": 9, "file_name": "COCO_train2014_000000000009.jpg"}, {"id": 25}]})");
  std::filesystem::path japanese = put("stair_train.json",
                                       R"({"images": [{"id": 25}], "annotations": [
            {"image_id": 25, "caption": "キリンがいる", "tokenized_caption": "キリン が いる"}]})");

  std::string error(const std::vector<CocoFile>& files) {
    return error_of([&](ImportWriter& writer) { import_coco(files, {}, writer); });
  }
};

TEST_F(CocoTest, LanguagesOfTheSameImagesComeTogether) {
  const Dataset dataset = import([&](ImportWriter& writer) {
    import_coco({{english, "", "en"}, {japanese, "train", "ja"}}, {}, writer);
  });
  EXPECT_THAT(images_of(dataset),
              ElementsAre("9 train COCO_train2014_000000000009.jpg", "25 train "));
  EXPECT_THAT(captions_of(dataset),
              ElementsAre("9 en human-original: A cat.", "25 en human-original: A giraffe.",
                          "25 ja human-original: キリンがいる"));
}

TEST_F(CocoTest, TokenisedCaptions) {
  const Dataset dataset = import([&](ImportWriter& writer) {
    import_coco({{japanese, "", "ja"}}, {true, {}}, writer);
  });
  EXPECT_THAT(captions_of(dataset), ElementsAre("25 ja human-original: キリン が いる"));
}

// YJ Captions: one file whose name tells no split.
TEST_F(CocoTest, SplitsMayStandInAFileOfTheirOwn) {
  const auto yj = put("yjcaptions26k_clean.json",
                      R"({"images": [{"id": 9}, {"id": 25}], "annotations": [
            {"id": 1, "image_id": 25, "caption": "キリン"}, {"id": 2, "image_id": 9, "caption": "猫"}]})");
  EXPECT_THAT(error({{yj, "", "ja"}}),
              HasSubstr("its name tells no split (expected --split NAME, or --split-file FILE)"));
  CocoOptions options;
  options.splits = ImageSplits::read(put("a.txt", "COCO_train2014_000000000009.jpg test\n"));
  const auto read = [&](const std::string& split) {
    return [&, split](ImportWriter& writer) { import_coco({{yj, split, "ja"}}, options, writer); };
  };
  EXPECT_THAT(images_of(import(read("train"))), ElementsAre("9 test ", "25 train "));
  EXPECT_THAT(error_of(read("")), HasSubstr("images[1]: image '25' is not in "));
}

TEST_F(CocoTest, WrongFilesAreNamed) {
  EXPECT_THAT(error({{put("captions.json", "{}"), "", "en"}}), HasSubstr("tells no split"));
  EXPECT_THAT(error({{put("train.json", "{\"images\":[{\"id\":1}]}"), "", "en"}}),
              HasSubstr("no \"annotations\""));
  EXPECT_THAT(error({{put("train.json", R"({"annotations":[{"image_id":1,"caption":"x"}],
                                           "images":[{"id":2}]})"),
                      "", "en"}}),
              HasSubstr("annotations[0]: caption of an unknown image '1'"));
  const auto annotated = [&](const std::string& annotation) {
    return error(
        {{put("train.json", R"({"images":[{"id":391895}],"annotations":[)" + annotation + "]}"), "",
          "en"}});
  };
  EXPECT_THAT(annotated(R"({"image_id":"000000391895","caption":"x"})"),
              HasSubstr("such as '391895', which differs in zeros in front"));
  EXPECT_THAT(annotated(R"({"image":391895,"caption":"x"})"),
              HasSubstr("no usable \"image_id\"; it has \"caption\", \"image\""));
  EXPECT_THAT(annotated(R"({"image_id":391895,"bbox":[1,2,3,4]})"), HasSubstr("instances_"));
  EXPECT_THAT(annotated(R"({"image_id":391895.5,"caption":"x"})"), HasSubstr("no usable"));
  EXPECT_EQ(annotated(R"({"image_id":391895.0,"caption":"x"},{"image_id":391895,"caption":null})"),
            "");
  EXPECT_EQ(summary.skipped.at("empty caption").count, 1);
  EXPECT_THAT(error({{put("train.json", std::string("\xFF\xFE{\0", 4)), "", "en"}}),
              HasSubstr("is UTF-16 text"));
  EXPECT_THAT(error({{english, "", "en"}, {japanese, "val", "ja"}}), HasSubstr("two splits"));
}

}  // namespace
}  // namespace hinny
