#include "data/importers/recognise.h"

#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

struct RecogniseTest : ImportTest {
  std::string format_of(const std::string& content) {
    return import_format_of(put("some.file", content));
  }
};

TEST_F(RecogniseTest, FilesByTheirContent) {
  EXPECT_EQ(format_of("\uFEFFimage,caption\r\nx,y\r\n"), "csv");
  EXPECT_EQ(format_of("image_name| comment_number| comment\n"), "csv");
  EXPECT_EQ(format_of("1.jpg#0\tA dog .\n"), "flickr8k");
  EXPECT_EQ(format_of("{\"file_name\": \"1.png\", \"text\": \"x\"}\n"), "imagefolder");
  EXPECT_EQ(format_of("{\"image\": \"1\", \"captions\": [\"x\"]}\n"), "imagefolder");
  EXPECT_EQ(format_of("{\"image\": \"1\", \"text\": \"x\"}\n{}"), "jsonl");
  EXPECT_EQ(format_of("{\"images\": [{\"id\": 1}],\n \"annotations\": []}"), "coco");
  EXPECT_EQ(format_of("{\"images\": [{\"sentences\": []}]}"), "karpathy");
  EXPECT_EQ(format_of("[{\"image\": \"1\"}]"), "array");
  EXPECT_EQ(format_of("COCO_train2014_000000123456#0\t两只狗\n"), "coco-cn");
  EXPECT_EQ(format_of("{\"en\": {\"caption\": [\"x\"]}, \"image/key\": \"1\"}\n"), "crossmodal");
  EXPECT_EQ(format_of("<?xml version=\"1.0\"?>\n<tmx version=\"1.4\">"), "parallel");
  EXPECT_EQ(format_of("<?xml version=\"1.0\"?>\n<html/>"), "");
  EXPECT_EQ(format_of("a dog\n"), "");
  EXPECT_EQ(format_of(""), "");
}

TEST_F(RecogniseTest, FoldersByTheirFiles) {
  put("a/task1/raw/train.en", "");
  put("b/train_caps.txt", "");
  put("c/train.ids", "");
  put("d/train/metadata.jsonl", "");
  put("e/Flickr8k.token.txt", "");
  put("f/coco-cn_train.txt", "");
  put("g/images.jsonl", "");
  put("g/captions.jsonl", "{\"image/key\": \"1\"}\n");
  put("h/captions.jsonl", "{\"image/key\": \"1\"}\n");
  put("i/XTD10/test_image_names.txt", "");
  put("j/test_image_names.txt", "");
  EXPECT_EQ(import_format_of(source / "a"), "multi30k");
  EXPECT_EQ(import_format_of(source / "b"), "precomp");
  EXPECT_EQ(import_format_of(source / "c"), "mule");
  EXPECT_EQ(import_format_of(source / "d"), "imagefolder");
  EXPECT_EQ(import_format_of(source / "e"), "flickr8k");
  EXPECT_EQ(import_format_of(source / "f"), "coco-cn");
  EXPECT_EQ(import_format_of(source / "g"), "dataset");
  EXPECT_EQ(import_format_of(source / "h"), "crossmodal");
  EXPECT_EQ(import_format_of(source / "i"), "xtd");
  EXPECT_EQ(import_format_of(source / "j"), "xtd");
}

TEST_F(RecogniseTest, TheHintNamesAnotherImporterAlone) {
  const auto table = put("captions.txt", "image,caption\nx,y\n");
  EXPECT_EQ(other_format_hint(table, "jsonl"), "; it looks like what `hinny import csv` reads");
  EXPECT_EQ(other_format_hint(table, "csv"), "");
  EXPECT_EQ(other_format_hint(source / "none", "csv"), "");
  EXPECT_EQ(other_format_hint(put("wide.txt", "\xFF\xFE"), "csv"), "");
  EXPECT_THAT(other_format_hint(put("a.json", "[{}]"), "jsonl"), testing::HasSubstr("JSON array"));
}

}  // namespace
}  // namespace hinny
