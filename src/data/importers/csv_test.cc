#include "data/importers/csv.h"

#include "data/importers/delimited.h"
#include "data/importers/import_fixture.h"
#include "data/importers/jsonl.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const RowOptions kEnglish{"en", std::array{1, 0, 0}};

struct CsvTest : ImportTest {
  Dataset read(const std::string& table, const RowOptions& options = kEnglish) {
    const auto file = put("table.txt", table);
    return import([&](ImportWriter& writer) { import_csv(file, options, writer); });
  }
  std::string error(const std::string& table, const RowOptions& options = kEnglish) {
    const auto file = put("table.txt", table);
    return error_of([&](ImportWriter& writer) { import_csv(file, options, writer); });
  }
};

TEST_F(CsvTest, KagglesCaptionsWithAMarkQuotesAndCrLf) {
  const Dataset dataset = read(
      "\uFEFFimage,caption\r\n1001_a.jpg,\"A dog, a cat , and a \"\"fish\"\" .\"\r\n"
      "1001_a.jpg,A dog .\r\n1002_b.jpg,\"Two\r\nmen\"\r\n");
  EXPECT_THAT(images_of(dataset),
              ElementsAre("1001_a train 1001_a.jpg", "1002_b train 1002_b.jpg"));
  EXPECT_THAT(
      captions_of(dataset),
      ElementsAre("1001_a en human-original: A dog, a cat , and a \"fish\" .",
                  "1001_a en human-original: A dog .", "1002_b en human-original: Two\nmen"));
}

TEST_F(CsvTest, Flickr30KsTableAndItsBrokenRow) {
  const Dataset dataset = read(
      "image_name| comment_number| comment\n1000092795.jpg| 0| \"A dog\" , he said .\n"
      "1000092795.jpg| 4   A dog runs .\n");
  EXPECT_THAT(captions_of(dataset),
              ElementsAre("1000092795 en human-original: \"A dog\" , he said .",
                          "1000092795 en human-original: A dog runs ."));
  EXPECT_THAT(summary.notes.at("row without its last separator, mended").places,
              ElementsAre(HasSubstr("table.txt:3")));
}

TEST_F(CsvTest, ColumnsGoByManyNamesInAnyOrder) {
  const Dataset dataset = read(
      "Sentence\tLanguage\tImage ID\tsubset\tFile_Name\tlicence\tsource\n"
      "ein Hund\tde\t7\tdev\tb\\7.jpg\tby\tmmt\n"
      "\"Big\" dog\t\t7\t\tb\\7.jpg\t\t\n");
  EXPECT_THAT(images_of(dataset), ElementsAre("7 val b/7.jpg"));
  EXPECT_THAT(captions_of(dataset),
              ElementsAre("7 de mmt: ein Hund", "7 en human-original: \"Big\" dog"));
  EXPECT_THAT(summary.skipped.at("column that is not known").places,
              ElementsAre(HasSubstr("table.txt:1: 'licence'")));
}

TEST_F(CsvTest, SeveralCaptionColumns) {
  EXPECT_THAT(captions_of(read("sep=;\nid;caption_1;caption_2;caption_de;text_pt-BR\n"
                               "7;a dog;;ein Hund;um cachorro\n")),
              ElementsAre("7 en human-original: a dog", "7 de human-original: ein Hund",
                          "7 pt-BR human-original: um cachorro"));
  EXPECT_THAT(captions_of(read(",image,caption\n0,a.jpg,x\n1,b.jpg,\n")),
              ElementsAre("a en human-original: x"));
  EXPECT_EQ(summary.skipped.at("empty caption").count, 1);
  EXPECT_EQ(summary.images_without_captions, 1);
  // Of what begins as a language only eight letters are one.
  EXPECT_THAT(captions_of(read("image,caption_de_latn1,caption_de_author\na.jpg,ein Hund,Eva\n")),
              ElementsAre("a de-latn1 human-original: ein Hund"));
}

TEST_F(CsvTest, PicturesOfOneNameInTwoFoldersAreTwo) {
  EXPECT_THAT(images_of(read("file_name,text\ntrain/1.png,x\ntest/1.png,y\n", {"en", {}})),
              ElementsAre("train/1 train train/1.png", "test/1 test test/1.png"));
  EXPECT_THAT(images_of(read("file_name,text\na/1.png,x\na/1.jpg,y\n")),
              ElementsAre("a/1.png train a/1.png", "a/1.jpg train a/1.jpg"));
}

TEST_F(CsvTest, WrongTablesAreNamed) {
  EXPECT_THAT(error("a.jpg,A dog\n"), HasSubstr("table.txt:1: 'a.jpg,A dog' is no header"));
  EXPECT_THAT(error(""), HasSubstr("no header"));
  EXPECT_THAT(error("image,caption\na.jpg,A dog, a cat\n"),
              HasSubstr("table.txt:2: 3 fields (expected 2, as the header has; a caption with"));
  EXPECT_THAT(error("image,caption\na.jpg\n"), HasSubstr("table.txt:2: 1 field (expected 2"));
  EXPECT_THAT(error("image,caption\nx,y\na.jpg,\"A dog\nb\n"),
              HasSubstr("table.txt:3: a quote that does not end"));
  EXPECT_THAT(error("image,caption\na.jpg,\"A\" dog\n"),
              HasSubstr("table.txt:2: text after a closing quote"));
  EXPECT_THAT(error("image,caption\na.jpg,x\n", {"", std::array{1, 0, 0}}),
              HasSubstr("table.txt:2: no language"));
  EXPECT_THAT(error("image,caption\na.jpg,x\n", {"en", {}}),
              HasSubstr("table.txt:2: image 'a' has no split"));
  EXPECT_THAT(error("image,caption,split\na.jpg,x,val\na.jpg,y,test\n"),
              HasSubstr("table.txt:3: split 'test' (expected 'val'"));
  EXPECT_THAT(error("image,caption\n,x\n"), HasSubstr("table.txt:2: no picture is named"));
  EXPECT_THAT(error("image,caption,source\na,x,me\n"), HasSubstr("table.txt:2: source 'me'"));
}

TEST_F(CsvTest, AQuoteThatDoesNotEndTakesNoMemory) {
  std::string table = "image,caption\na.jpg,\"";
  for (std::size_t i = 0; i < kLongestRow; ++i) table += "x\n";
  EXPECT_THAT(error(table), HasSubstr("table.txt:2: a quote that does not end (expected rows of"));
  EXPECT_THAT(error("image,caption\na.jpg," + std::string(kLongestRow, 'x')),
              HasSubstr("table.txt:2: a row too long"));
}

}  // namespace
}  // namespace hinny
