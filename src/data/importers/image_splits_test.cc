#include "data/importers/image_splits.h"

#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::HasSubstr;
using testing::Optional;

struct ImageSplitsTest : ImportTest {
  ImageSplits read(const std::string& content) { return ImageSplits::read(put("splits", content)); }
  std::string error(const std::string& content) {
    try {
      read(content);
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "";
  }
};

TEST_F(ImageSplitsTest, LinesRecordsAndKarpathysFile) {
  for (const char* content :
       {"17 train\nCOCO_val2014_000000000042.jpg\tdev\n\n1000268201_693b08cb0e.jpg  restval\n",
        "{\"image\":17,\"split\":\"train\"}\n{\"image\":\"42\",\"split\":\"val\",\"file\":\"x\"}\n"
        "{\"image\":\"1000268201\",\"split\":\"restval\"}\n",
        "{\"images\":[{\"cocoid\":17,\"filename\":\"a\",\"split\":\"train\",\"sentences\":[]},"
        "{\"cocoid\":42,\"split\":\"val\"},{\"filename\":\"1000268201.jpg\",\"split\":\"restval\"}"
        "],\"dataset\":\"coco\"}"}) {
    const ImageSplits splits = read(content);
    EXPECT_THAT(splits.find("17"), Optional(std::string("train"))) << content;
    EXPECT_THAT(splits.find("42"), Optional(std::string("val"))) << content;
    EXPECT_THAT(splits.find("1000268201"), Optional(std::string("restval"))) << content;
    EXPECT_EQ(splits.find("18"), std::nullopt) << content;
  }
}

TEST_F(ImageSplitsTest, AnImageNamedTwiceIsRefused) {
  EXPECT_THAT(error("a train\nb val\na train\n"), HasSubstr("splits:3: image 'a' for the second "
                                                            "time (expected each image once; "));
  EXPECT_THAT(error("a train\nb val\na train\n"), HasSubstr("splits:1 has it too"));
  EXPECT_THAT(error("1.jpg train\n1 val\n"), HasSubstr("splits:2: image '1' for the second time"));
  EXPECT_THAT(error("{\"images\":[{\"filename\":\"a.jpg\",\"split\":\"train\",\"sentences\":[]},\n"
                    "{\"filename\":\"a.jpg\",\"split\":\"val\"}]}"),
              HasSubstr("splits:2: images[1]: image 'a.jpg' for the second time"));
}

TEST_F(ImageSplitsTest, OtherFilesAreRefusedByTheirLine) {
  EXPECT_THAT(error("a train\nb\n"), HasSubstr("splits:2: one word"));
  EXPECT_THAT(error("{\"image\":\"a\",\"split\":\"\"}\n{}"),
              HasSubstr("splits:1: an image without"));
  EXPECT_THAT(error("{\"image\":\"a\"}\n{}"), HasSubstr("no usable \"split\""));
  EXPECT_THAT(error("a val\n{\"image\":\n"), HasSubstr("splits:2: broken JSON"));
  EXPECT_THAT(error("a val\n\xC3( val\n"), HasSubstr("splits:2: broken UTF-8"));
}

}  // namespace
}  // namespace hinny
