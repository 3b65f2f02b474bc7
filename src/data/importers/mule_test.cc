#include "data/importers/mule.h"

#include "data/features.h"
#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct MuleTest : ImportTest {
  MuleTest() {
    put("train.ids", "a#b\n2\n");  // '#' inside an id is no caption number
    put("train.de.tok", "2#0\tein hund\n2#1\tzwei hunde\na#b\teine katze\n");
    put("train.en.tok", "a#b#0\ta cat\n");
    put("dev.ids", "3\n");
    put("notes.txt", "?");
  }
  Dataset read(const SourceChoice& sources = {}) {
    return import([&](ImportWriter& writer) { import_mule(source, {}, writer); }, sources);
  }
  std::string error() {
    return error_of([&](ImportWriter& writer) { import_mule(source, {}, writer); });
  }
};

TEST_F(MuleTest, ReadsIdsTextsAndFeatures) {
  write_npy(source / "train.npy", std::vector<float>{1, 2, 3, 4}, {2, 2});
  write_npy(source / "dev.npy", std::vector<float>{5, 6}, {1, 2});
  const Dataset dataset = read(SourceChoice({"de=machine-translation"}));
  EXPECT_THAT(images_of(dataset), ElementsAre("a#b train ", "2 train ", "3 val "));
  EXPECT_THAT(
      captions_of(dataset),
      ElementsAre("2 de machine-translation: ein hund", "2 de machine-translation: zwei hunde",
                  "a#b de machine-translation: eine katze", "a#b en human-original: a cat"));
  EXPECT_THAT(summary.left_alone, ElementsAre("notes.txt"));
  std::vector<float> row(2);
  Features::open(dataset, "mule").gather(std::vector<int>{2}, row);
  EXPECT_THAT(row, ElementsAre(5, 6));
}

TEST_F(MuleTest, FeaturesForAllSplitsOrForNone) {
  EXPECT_EQ(error(), "");
  EXPECT_FALSE(std::filesystem::exists(out / "features"));
  write_npy(source / "train.npy", std::vector<float>{1, 2, 3, 4}, {2, 2});
  EXPECT_THAT(error(), HasSubstr("dev.npy: no such file"));
}

TEST_F(MuleTest, IdsKeepTheirBlanks) {
  put("train.ids", "\uFEFFa\u00A0b\u2028 \n");
  put("train.de.tok", "a\u00A0b\u2028#0\tein hund\n");
  std::filesystem::remove(source / "train.en.tok");
  EXPECT_THAT(captions_of(read()), ElementsAre("a\u00A0b\u2028 de human-original: ein hund"));
}

TEST_F(MuleTest, WrongLinesAreNamed) {
  put("train.de.tok", "2 ein hund\n");
  EXPECT_THAT(error(), HasSubstr("train.de.tok:1: no tab"));
  put("train.de.tok", "7#0\tein hund\n");
  EXPECT_THAT(error(), HasSubstr("train.de.tok:1: caption of an unknown image '7'"));
  put("train.de.tok", "2#0\tein hund\n");
  put("dev.ids", "2\n");
  EXPECT_THAT(error(), HasSubstr("image '2' for the second time"));
}

}  // namespace
}  // namespace hinny
