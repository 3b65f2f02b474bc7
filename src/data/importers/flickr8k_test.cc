#include "data/importers/flickr8k.h"

#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Flickr8kTest : ImportTest {
  std::filesystem::path file = put("Flickr8k.token.txt",
                                   "1001_a1b2c3d4e5.jpg#0\tA dog .\r\n"
                                   "1001_a1b2c3d4e5.jpg#1\tA dog # runs\tfast .\r\n"
                                   "1002.jpg#0\tTwo men .\r\n1003.jpg#0\tA car .\r\n");
  Dataset read(const std::filesystem::path& path, const RowOptions& options = {"en", {}}) {
    return import([&](ImportWriter& writer) { import_flickr8k(path, options, writer); });
  }
  std::string error() {
    return error_of([&](ImportWriter& writer) { import_flickr8k(file, {"en", {}}, writer); });
  }
};

TEST_F(Flickr8kTest, TheListsBesideItGiveTheSplits) {
  put("Flickr_8k.trainImages.txt", "1001_a1b2c3d4e5.jpg\n");
  put("Flickr_8k.devImages.txt", "1002.jpg\n");
  put("Flickr_8k.testImages.txt", "");
  const Dataset dataset = read(source);  // the folder
  EXPECT_THAT(images_of(dataset),
              ElementsAre("1001 train 1001_a1b2c3d4e5.jpg", "1002 val 1002.jpg"));
  EXPECT_THAT(captions_of(dataset), ElementsAre("1001 en human-original: A dog .",
                                                "1001 en human-original: A dog # runs\tfast .",
                                                "1002 en human-original: Two men ."));
  EXPECT_THAT(summary.skipped.at("image in none of the split lists").places,
              ElementsAre(HasSubstr("Flickr8k.token.txt:4")));
}

TEST_F(Flickr8kTest, SharesServeWhereThereIsNoList) {
  EXPECT_EQ(read(file, {"de", std::array{0, 0, 1}}).split("test").size(), 3U);
  EXPECT_EQ(summary.captions.at("de"), 4);
}

TEST_F(Flickr8kTest, WrongFilesAreNamed) {
  EXPECT_THAT(error(), HasSubstr("image '1001' has no split"));
  put("a.trainImages.txt", "1002.jpg\n");
  put("a.testImages.txt", "1002.jpg\n");
  EXPECT_THAT(error(), HasSubstr("a.testImages.txt:1: '1002.jpg' for the second time"));
  std::filesystem::remove(source / "a.testImages.txt");
  put("Flickr8k.token.txt", "1002.jpg#0\tx\n1002.jpg\tA dog\n");
  EXPECT_THAT(error(), HasSubstr("Flickr8k.token.txt:2: no picture, '#', number and tab"));
}

}  // namespace
}  // namespace hinny
