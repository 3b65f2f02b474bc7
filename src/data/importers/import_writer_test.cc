#include "data/importers/import_writer.h"

#include "data/importers/import_fixture.h"
#include "data/importers/names.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Names, ImageIdsJoinAcrossCollections) {
  EXPECT_EQ(image_id_of_file("1000268201_693b08cb0e.jpg"), "1000268201");
  EXPECT_EQ(image_id_of_file("1000268201.jpg"), "1000268201");
  EXPECT_EQ(image_id_of_file("val2014/COCO_val2014_000000391895.jpg#771337"), "391895");
  EXPECT_EQ(image_id_of_file("holiday/beach_2020.v2.png"), "beach_2020.v2");
  EXPECT_EQ(image_id_of_file("12_ab.jpg"), "12_ab");  // no Flickr secret
}

TEST(Names, TrimsEveryScriptsSpaces) {
  EXPECT_EQ(trimmed(" \t犬 が\u3000\n"), "犬 が");
  EXPECT_EQ(trimmed("\u3000\r\n"), "");
}

TEST_F(ImportTest, CountsWhatItLeavesOut) {
  const std::filesystem::path file = "a.txt";
  const auto fill = [&](ImportWriter& writer) {
    writer.image({"1", "train", ""}, {file, 1});
    writer.image({"1", "train", ""}, {file, 2});
    writer.image({"2", "val", ""}, {file, 3});
    writer.caption("1", "de", "  Ein Hund.\n", Source::human_original, {file, 4});
    writer.caption("1", "de", "Ein Hund.", Source::human_original, {file, 5});
    writer.caption("1", "en", "Ein Hund.", Source::human_original, {file, 6});
    writer.caption("1", "en", " \u3000", Source::human_original, {file, 7});
  };
  EXPECT_THAT(captions_of(import(fill, SourceChoice({"machine-translation", "de=mmt"}))),
              ElementsAre("1 de mmt: Ein Hund.", "1 en machine-translation: Ein Hund."));
  EXPECT_EQ(summary.images, 2);
  EXPECT_EQ(summary.images_without_captions, 1);
  EXPECT_EQ(summary.captions.at("de"), 1);
  EXPECT_THAT(summary.skipped.at("the same caption again").places, ElementsAre("a.txt:5"));
  EXPECT_THAT(summary.skipped.at("empty caption").places, ElementsAre("a.txt:7"));
  EXPECT_EQ(import(fill, {}, true).captions().size(), 3U);
}

TEST_F(ImportTest, IdsThatLookAlikeAreNoted) {
  const std::filesystem::path file = "a.txt";
  import([&](ImportWriter& writer) {
    writer.image({"caf\u00e9", "train", ""}, {file, 1});
  writer.image({"cafe\u0301", "train", ""}, {file, 2});
  writer.image({"cafe", "train", ""}, {file, 3});
});
EXPECT_EQ(summary.images, 3);
EXPECT_THAT(summary.notes.at("two images whose ids differ in Unicode normalisation alone").places,
            ElementsAre(HasSubstr("a.txt:2")));
EXPECT_THAT(error_of([&](ImportWriter& writer) {
              writer.image({"7", "train", ""}, {file, 1});
              writer.caption("0007.jpg", "en", "x", Source::human_original, {file, 2});
            }),
            HasSubstr("such as '7', which differs in the ending and zeros in front"));
}  // namespace

TEST_F(ImportTest, RefusesWhatCannotBeADataset) {
  const std::filesystem::path file = "a.txt";
  const auto with_image = [&](const Image& image) {
    return error_of([&](ImportWriter& writer) {
      writer.image({"1", "train", ""}, {file, 1});
      writer.image(image, {file, 2});
    });
  };
  EXPECT_THAT(with_image({"1", "val", ""}), HasSubstr("a.txt:2: image '1' is in two splits"));
  EXPECT_THAT(with_image({"a\nb", "val", ""}), HasSubstr("a.txt:2: unusable image id"));
  EXPECT_THAT(with_image({"2", "val", "../x.jpg"}), HasSubstr("a.txt:2: file '../x.jpg'"));
  const auto with_caption = [&](const std::string& image, const std::string& language) {
    return error_of([&](ImportWriter& writer) {
      writer.image({"1", "train", ""}, {file, 1});
      writer.caption(image, language, "x", Source::mmt, {file, 2});
    });
  };
  EXPECT_THAT(with_caption("9", "de"), HasSubstr("a.txt:2: caption of an unknown image '9'"));
  EXPECT_THAT(with_caption("1", "german!"), HasSubstr("a.txt:2: language 'german!'"));
  EXPECT_THAT(error_of([](ImportWriter&) {}), HasSubstr("no image"));
}

TEST_F(ImportTest, SourceNamesAreChecked) {
  EXPECT_THROW(SourceChoice({"de=human"}), InputError);
  EXPECT_THROW(import(
                   [](ImportWriter& writer) {
                     writer.image({"1", "train", ""}, {"a.txt", 1});
                   },
                   SourceChoice({"de=mmt"})),
               InputError);
}

}  // namespace hinny
}  // namespace hinny
