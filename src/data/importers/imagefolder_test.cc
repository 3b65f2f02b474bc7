#include "data/importers/imagefolder.h"

#include "base/folders.h"
#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct ImageFolderTest : ImportTest {
  Dataset read(const std::filesystem::path& path, const RowOptions& options = {"en", {}}) {
    return import([&](ImportWriter& writer) { import_imagefolder(path, options, writer); });
  }
  std::string error(const std::string& lines, const RowOptions& options) {
    const auto file = put("metadata.jsonl", lines);
    return error_of([&](ImportWriter& writer) { import_imagefolder(file, options, writer); });
  }
  const RowOptions all_train{"en", std::array{1, 0, 0}};
};

TEST_F(ImageFolderTest, OneCaptionOrAListOfThem) {
  const auto file = put("metadata.jsonl",
                        "\uFEFF"
                        R"({"file_name": "0001.png", "text": "a red bird"}
{"file_name": "0002.png", "captions": ["a blue bird", {"raw": "blue"}, null], "lang": "en"}

{"file_name": "0003.png", "caption": "ein Vogel", "language": "de", "objects": {"bbox": [[1, 2]]}}
{"image": "0004.png", "text": null}
)");
  const Dataset dataset = read(file, all_train);
  EXPECT_THAT(images_of(dataset), ElementsAre("0001 train 0001.png", "0002 train 0002.png",
                                              "0003 train 0003.png", "0004 train 0004.png"));
  EXPECT_THAT(
      captions_of(dataset),
      ElementsAre("0001 en human-original: a red bird", "0002 en human-original: a blue bird",
                  "0002 en human-original: blue", "0003 de human-original: ein Vogel"));
}

TEST_F(ImageFolderTest, FoldersAreSplits) {
  put("pictures/train/metadata.jsonl", "{\"file_name\": \"1.png\", \"text\": \"x\"}\n");
  put("pictures/validation/metadata.csv", "file_name,text\n2.png,y\n");
  put("pictures/test/metadata.jsonl", "{\"file_name\": \"1.png\", \"text\": \"z\"}\n");
  EXPECT_THAT(images_of(read(source / "pictures")),
              ElementsAre("test/1 test test/1.png", "train/1 train train/1.png",
                          "validation/2 val validation/2.png"));
  // One file may lie above them all, or in one of them.
  EXPECT_THAT(images_of(read(put("metadata.jsonl", R"({"file_name": "dev/7.png", "text": "x"})"))),
              ElementsAre("7 val dev/7.png"));
  EXPECT_THAT(images_of(read(source / "pictures/train/metadata.jsonl")),
              ElementsAre("1 train 1.png"));
}

TEST_F(ImageFolderTest, WrongFilesAreNamed) {
  const std::string head = "{\"file_name\": \"1.png\", \"text\": \"x\"}\n";
  EXPECT_THAT(error(head, {"en", {}}), HasSubstr("metadata.jsonl:1: image '1' has no split"));
  EXPECT_THAT(error(head, {"", std::array{1, 0, 0}}), HasSubstr("metadata.jsonl:1: no language"));
  EXPECT_THAT(error(head + "{\"text\": \"x\"}", all_train), HasSubstr(":2: no \"file_name\""));
  EXPECT_THAT(error(head + "[1]", all_train), HasSubstr(":2: not a JSON object"));
  EXPECT_THAT(error(head + "{\"file_name\": \"2.png\", \"text\": 7}", all_train),
              HasSubstr(":2: a caption that is no text"));
  EXPECT_THAT(
      error(head + "{\"file_name\": \"2.png\", \"text\": " + std::string(100000, '['), all_train),
      HasSubstr(":2: nested too deeply"));
  EXPECT_THAT(error_of([&](ImportWriter& writer) {
                create_folder(source / "empty");
                import_imagefolder(source / "empty", all_train, writer);
              }),
              HasSubstr("no metadata.jsonl or metadata.csv"));
}

}  // namespace
}  // namespace hinny
