#include "data/importers/coco_cn.h"

#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct CocoCnTest : ImportTest {
  std::filesystem::path written = put("imageid.human-written-caption.txt",
                                      "COCO_train2014_000000123456#0\t两只狗\n"
                                      "COCO_train2014_000000123456#1 一只 猫\n"
                                      "COCO_val2014_000000000042#0\t一辆车\n");
  std::filesystem::path train = put("coco-cn_train.txt", "COCO_train2014_000000123456\n");
  std::filesystem::path test = put("coco-cn_test.txt", "COCO_val2014_000000000042\n");
  Dataset read(const std::filesystem::path& path) {
    return import([&](ImportWriter& writer) { import_coco_cn(path, {"zh", {}}, writer); });
  }
  std::string error(const std::filesystem::path& path) {
    return error_of([&](ImportWriter& writer) { import_coco_cn(path, {"zh", {}}, writer); });
  }
};

TEST_F(CocoCnTest, PicturesHaveCocosIds) {
  const Dataset dataset = read(source);
  EXPECT_THAT(images_of(dataset), ElementsAre("123456 train COCO_train2014_000000123456.jpg",
                                              "42 test COCO_val2014_000000000042.jpg"));
  EXPECT_THAT(captions_of(dataset),
              ElementsAre("123456 zh human-original: 两只狗", "123456 zh human-original: 一只 猫",
                          "42 zh human-original: 一辆车"));
}

TEST_F(CocoCnTest, TheFilesNameSaysWhoTranslated) {
  const Dataset dataset = read(
      put("imageid.manually-translated-caption.txt", "COCO_val2014_000000000042#3\t红色的车\n"));
  EXPECT_THAT(captions_of(dataset), ElementsAre("42 zh human-translation: 红色的车"));
}

TEST_F(CocoCnTest, WrongFilesAreNamed) {
  EXPECT_THAT(error(source / "coco"), HasSubstr("no such file"));
  EXPECT_THAT(error(put("imageid.human-written-caption.bosonseg.txt", "x")),
              HasSubstr("words with their kinds"));
  put("coco-cn_test.txt", "COCO_val2014_000000000042\nCOCO_train2014_000000123456\n");
  EXPECT_THAT(error(written),
              HasSubstr("coco-cn_test.txt:2: 'COCO_train2014_000000123456' for the second time "
                        "(expected each picture once; "));
  EXPECT_THAT(error(written), HasSubstr("coco-cn_train.txt:1 has it too"));
  put("coco-cn_test.txt", "");
  put("coco-cn_train.txt", "COCO_train2014_000000123456\n\nCOCO_train2014_000000123456\n");
  EXPECT_THAT(error(written), HasSubstr("coco-cn_train.txt:3: 'COCO_train2014_000000123456' for"));
  put("coco-cn_train.txt", "COCO_train2014_000000123456\n");
  EXPECT_THAT(error(put("imageid.human-written-caption.txt", "COCO_train2014_000000123456 x\n")),
              HasSubstr("caption.txt:1: no picture, '#', number and tab"));
  EXPECT_TRUE(is_coco_cn_line("COCO_train2014_000000123456#0\tx"));
  EXPECT_FALSE(is_coco_cn_line("1001_a1b2c3d4e5.jpg#0\tx"));
}

}  // namespace
}  // namespace hinny
