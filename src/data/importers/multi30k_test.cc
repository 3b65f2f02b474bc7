#include "data/importers/multi30k.h"

#include "base/folders.h"
#include "base/read_file.h"
#include "data/importers/import_fixture.h"
#include "tests/real_data.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct Multi30kTest : ImportTest {
  Multi30kTest() {
    put("task1/image_splits/train.txt", "1000092795.jpg\n10002456.jpg\n");
    put("task1/image_splits/test_2016_flickr.txt", "7.jpg\n");
    put("task1/image_splits/test_2017_mscoco.txt", "COCO_train2014_000000117071.jpg#367178\n");
    put("task1/raw/train.en.gz", "A dog.\nTwo men.\n");
    put("task1/raw/train.de.gz", "Ein Hund.\nZwei Männer.\n");
    put("task1/raw/test_2016_flickr.en", "A car.\n");
    put("task1/raw/test_2017_mscoco.de", "Ein Bus.\n");
    put("task1/raw/README", "not captions\n");
  }
  Dataset read(const std::filesystem::path& folder, bool tokenised = false) {
    return import([&](ImportWriter& writer) { import_multi30k(folder, {tokenised}, writer); });
  }
};

TEST_F(Multi30kTest, MergesTheTasks) {
  put("task2/raw/train.1.en.gz", "A brown dog runs.\nTwo men.\n");
  put("task2/raw/test_2016.1.de.gz", "Ein rotes Auto.\n");
  const Dataset dataset = read(source);
  EXPECT_THAT(
      images_of(dataset),
      ElementsAre("1000092795 train 1000092795.jpg", "10002456 train 10002456.jpg", "7 test 7.jpg",
                  "117071 test_2017_mscoco COCO_train2014_000000117071.jpg"));
  EXPECT_THAT(
      captions_of(dataset),
      ElementsAre("1000092795 de human-translation: Ein Hund.",
                  "10002456 de human-translation: Zwei Männer.",
                  "1000092795 en human-original: A dog.", "10002456 en human-original: Two men.",
                  "7 en human-original: A car.", "117071 de human-translation: Ein Bus.",
                  "1000092795 en human-original: A brown dog runs.",
                  "7 de human-original: Ein rotes Auto."));
  EXPECT_EQ(summary.skipped.at("the same caption again").count, 1);
  EXPECT_THAT(summary.left_alone, ElementsAre("README"));
}

TEST_F(Multi30kTest, WhatLiesBesideTheCaptionsIsLeftAloneAndNamed) {
  const std::vector<std::string> beside = {
      "LICENSE.txt",   "README.md",    "checksums.txt", "multi30k_test.tar.gz",
      "pairs",         "train.en.bak", "train.en~",     ".train.en.swp",
      "._train.en.gz", "train.bpe.en", "train.txt",     "train.md",
      "train.en.md5",  "notes.en",     "train (1).en",  "train.en.orig",
      "train.qqx.gz",  "train.sh"};
  for (const std::string& name : beside) put("task1/raw/" + name, "a\nb\nc\n");
  create_folder(source / "task1/raw/train.fr");
  read(source);
  EXPECT_EQ(summary.left_alone_count, std::ssize(beside) + 2);  // README, the folder
  EXPECT_EQ(summary.captions.at("en"), 3);
  EXPECT_THAT(summary.left_alone, testing::Contains("LICENSE.txt"));
}

TEST_F(Multi30kTest, LanguagesMayHaveRegionsAndScripts) {
  put("task1/raw/train.pt-BR", "um\ndois\n");
  put("task1/raw/train.zh_CN.gz", "一\n二\n");
  put("task1/raw/train.qqq", "of a language\nthat ICU lacks\n");
  put("task1/raw/train.4en", "of no\nlanguage\n");
  read(source);
  EXPECT_EQ(summary.captions.at("pt-BR"), 2);
  EXPECT_EQ(summary.captions.at("zh-CN"), 2);
  EXPECT_EQ(summary.captions.at("qqq"), 2);
  EXPECT_FALSE(summary.captions.contains("4en"));
}

TEST_F(Multi30kTest, OneTaskAloneUsesTheOthersImageLists) {
  put("task2/raw/test_2016.5.de.gz", "Ein rotes Auto.\n");
  EXPECT_THAT(captions_of(read(source / "task2")),
              ElementsAre("7 de human-original: Ein rotes Auto."));
}

TEST_F(Multi30kTest, TokenisedCaptionsKeepTheirTokens) {
  put("task1/tok/train.lc.norm.tok.fr", "un chien .\ndeux hommes .\n");
  put("task2/image_splits/train_images.txt", "10002456.jpg\n1000092795.jpg\n");  // another order
  put("task2/tok/train.lc.norm.tok.3.en", "men .\ndog .\n");
  EXPECT_THAT(
      captions_of(read(source, true)),
      ElementsAre("1000092795 fr human-translation: un chien .",
                  "10002456 fr human-translation: deux hommes .",
                  "10002456 en human-original: men .", "1000092795 en human-original: dog ."));
}

TEST_F(Multi30kTest, LinesMustAgreeWithTheImageList) {
  put("task1/raw/train.fr.gz", "un chien.\n");
  const auto error = [&] {
    return error_of([&](ImportWriter& writer) { import_multi30k(source, {}, writer); });
  };
  EXPECT_THAT(error(), HasSubstr("train.fr.gz: 1 lines (expected 2, as in "));
  put("task1/raw/train.fr.gz", "un\ndeux\ntrois\n");
  EXPECT_THAT(error(), HasSubstr("train.fr.gz: 3 lines (expected 2, as in "));
  put("task1/raw/val.en", "x\n");
  std::filesystem::remove(source / "task1/raw/train.fr.gz");
  EXPECT_THAT(error(), HasSubstr("val.txt: no such image list"));
}

TEST_F(Multi30kTest, TheSameInputGivesTheSameBytes) {
  read(source);
  const std::string images = read_file(out / "images.jsonl");
  const std::string captions = read_file(out / "captions.jsonl");
  read(source);
  EXPECT_EQ(read_file(out / "images.jsonl"), images);
  EXPECT_EQ(read_file(out / "captions.jsonl"), captions);
}

TEST_F(Multi30kTest, RealFiles) {
  const std::filesystem::path data = real_data();
  if (data.empty()) GTEST_SKIP() << "HINNY_DATA is not set";
  read(data / "multi30k");
  EXPECT_EQ(summary.images, 29014);
  EXPECT_EQ(summary.captions.at("fr"), 29014);
  EXPECT_EQ(summary.captions.at("en"), 145038);
}

}  // namespace
}  // namespace hinny
