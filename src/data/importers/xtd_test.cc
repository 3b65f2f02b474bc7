#include "data/importers/xtd.h"

#include "base/read_file.h"
#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct XtdTest : ImportTest {
  XtdTest() {
    put("XTD10/test_image_names.txt",
        "COCO_train2014_000000000017.jpg\nCOCO_val2014_000000000042.jpg\n");
    put("XTD10/test_1kcaptions_it.txt", "due cani\r\nuna macchina\r\n");
    put("XTD10/test_1kcaptions_zh.txt", "两只狗\n一辆车");
    put("MIC/test_1kcaptions_en.txt", "two dogs\na car\n");
    put("MIC/test_1kcaptions_de.txt", "zwei Hunde\nein Auto\n");
    put("STAIR/test_1kcaptions_jp.txt", "二匹の犬\n車\n");
    put("README.md", "");
  }
  Dataset read(const std::filesystem::path& path, const PictureFolder& pictures = {}) {
    return import([&](ImportWriter& writer) { import_xtd(path, pictures, writer); });
  }
  std::string error(const std::filesystem::path& path) {
    return error_of([&](ImportWriter& writer) { import_xtd(path, {}, writer); });
  }
};

TEST_F(XtdTest, TheRepositorysFolder) {
  const Dataset dataset = read(source);
  EXPECT_THAT(images_of(dataset), ElementsAre("17 test COCO_train2014_000000000017.jpg",
                                              "42 test COCO_val2014_000000000042.jpg"));
  EXPECT_THAT(
      captions_of(dataset),
      ElementsAre("17 de human-translation: zwei Hunde", "42 de human-translation: ein Auto",
                  "17 en human-original: two dogs", "42 en human-original: a car",
                  "17 it human-translation: due cani", "42 it human-translation: una macchina",
                  "17 ja human-original: 二匹の犬", "42 ja human-original: 車",
                  "17 zh human-translation: 两只狗", "42 zh human-translation: 一辆车"));
  EXPECT_THAT(summary.left_alone, ElementsAre("README.md"));
}

TEST_F(XtdTest, OneFolderOfItsFiles) {
  put("XTD10/A note.txt", "x");
  const Dataset dataset = read(source / "XTD10");
  EXPECT_THAT(dataset.languages(), ElementsAre("it", "zh"));
  EXPECT_THAT(summary.left_alone, ElementsAre("A note.txt"));
}

TEST_F(XtdTest, PicturesLieAsCocosDoOrTogether) {
  put("coco/train2014/COCO_train2014_000000000017.jpg", "x");
  EXPECT_THAT(
      error_of([&](ImportWriter& writer) {
        import_xtd(source, PictureFolder(source / "coco", {"train2014", "val2014"}), writer);
      }),
      HasSubstr("names.txt:2: no picture 'COCO_val2014_000000000042.jpg' in "));
  put("coco/COCO_val2014_000000000042.jpg", "y");
  const Dataset dataset = read(source, PictureFolder(source / "coco", {"train2014", "val2014"}));
  EXPECT_THAT(images_of(dataset), ElementsAre("17 test train2014/COCO_train2014_000000000017.jpg",
                                              "42 test COCO_val2014_000000000042.jpg"));
  EXPECT_EQ(read_file(dataset.folder() / "images" / dataset.images()[0].file), "x");
}

TEST_F(XtdTest, WrongFilesAreNamed) {
  EXPECT_THAT(error(source / "none"), HasSubstr("no such folder"));
  EXPECT_THAT(error(source / "MIC"), HasSubstr("no test_image_names.txt"));
  put("MIC/test_1kcaptions_it.txt", "a\nb\n");
  EXPECT_THAT(error(source), HasSubstr("MIC/test_1kcaptions_it.txt: 'it' for the second time"));
  std::filesystem::remove(source / "MIC/test_1kcaptions_it.txt");
  put("XTD10/test_1kcaptions_it.txt", "due cani\n");
  EXPECT_THAT(error(source), HasSubstr("captions_it.txt: 1 lines (expected 2, as in "));
  put("XTD10/test_1kcaptions_it.txt", "due cani\nuna macchina\nuna casa\n");
  EXPECT_THAT(error(source), HasSubstr("captions_it.txt: 3 lines"));
  put("XTD10/test_1kcaptions_it.txt", "due cani\nuna macchina\n");
  put("XTD10/test_1kcaptions_italian.txt", "due cani\nuna macchina\n");
  EXPECT_THAT(error(source), HasSubstr("captions_italian.txt:1: language 'italian'"));
  put("XTD10/test_image_names.txt", "1.jpg\n\n");
  EXPECT_THAT(error(source), HasSubstr("names.txt:2: an empty line"));
  put("XTD10/test_image_names.txt", "1.jpg\n1.jpg\n");
  EXPECT_THAT(error(source), HasSubstr("names.txt:2: '1.jpg' for the second time"));
  put("alone/test_image_names.txt", "1.jpg\n");
  EXPECT_THAT(error(source / "alone"), HasSubstr("no captions"));
}

}  // namespace
}  // namespace hinny
