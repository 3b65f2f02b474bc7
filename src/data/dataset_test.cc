#include "data/dataset.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/real_data.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::ThrowsMessage;

class DatasetTest : public testing::Test {
 protected:
  Dataset load(const std::string& images, const std::string& captions,
               const DatasetOptions& options = {}) const {
    std::ofstream(folder / "images.jsonl") << images;
    std::ofstream(folder / "captions.jsonl") << captions;
    return Dataset::load(folder, options);
  }
  void expect_refused(const std::string& images, const std::string& captions,
                      const std::string& message, const DatasetOptions& options = {}) const {
    EXPECT_THAT([&] { load(images, captions, options); },
                ThrowsMessage<InputError>(HasSubstr(message)))
        << images << captions;
  }

  const Scratch folder;
  const std::string images = R"({"image": "a", "split": "train", "file": "a.png"}
{"split": "test", "image": "b", "size": [224, {"deep": ["x"]}]}
{"image": "c", "split": "train", "file": null}
)";
  const std::string captions = R"({"image": "a", "lang": "fr", "text": "un chien", "source": "mmt"}
{"image": "b", "lang": "de", "text": "ein Hund", "source": "human-original", "note": 1}

{"image": "a", "lang": "de", "text": "zwei \"Hunde\"", "source": "human-original"}
{"image": "a", "lang": "de", "text": " drei Hunde ", "source": "human-translation"}
)";
};

TEST_F(DatasetTest, LoadsImagesCaptionsAndTheirPlaces) {
  const Dataset dataset = load(images, captions);
  EXPECT_THAT(dataset.languages(), ElementsAre("de", "fr"));
  ASSERT_EQ(dataset.images().size(), 3U);
  EXPECT_EQ(dataset.images()[0].file, "a.png");
  EXPECT_EQ(dataset.images()[2].file, "");
  EXPECT_THAT(dataset.split("train"), ElementsAre(0, 2));
  EXPECT_EQ(dataset.find("b"), 1);
  EXPECT_EQ(dataset.find("d"), -1);
  ASSERT_EQ(dataset.captions().size(), 4U);
  EXPECT_EQ(dataset.captions()[2].text, "zwei \"Hunde\"");
  EXPECT_EQ(dataset.captions()[3].text, " drei Hunde ");
  EXPECT_EQ(dataset.captions()[3].source, Source::human_translation);
  EXPECT_THAT(dataset.captions_of(0, dataset.language("de")), ElementsAre(2, 3));
  EXPECT_THAT(dataset.captions_of(0, dataset.language("fr")), ElementsAre(0));
  EXPECT_THAT(dataset.captions_of(2, 0), IsEmpty());
}

TEST_F(DatasetTest, ALanguageIsHumanWhenPeopleWroteSomeCaptionOfTheImages) {
  const Dataset dataset = load(images, captions);
  EXPECT_TRUE(dataset.human(0, {0, 1}));
  EXPECT_FALSE(dataset.human(0, {2}));
  EXPECT_FALSE(dataset.human(1, {0, 1, 2}));
}

TEST_F(DatasetTest, LanguagesAndSourcesAreChosen) {
  EXPECT_THAT(load(images, captions, {.languages = {"fr", "de"}}).languages(),
              ElementsAre("fr", "de"));
  const Dataset german = load(images, captions, {.languages = {"de"}});
  EXPECT_EQ(german.captions().size(), 3U);
  EXPECT_THAT(german.captions_of(0, 0), ElementsAre(1, 2));
  EXPECT_THAT(load(images, captions, {.sources = {Source::mmt}}).languages(), ElementsAre("fr"));
}

TEST_F(DatasetTest, ALanguageMayBeSilent) {
  const Dataset dataset = load(images, captions, {.languages = {"cs", "de"}, .silent = {"cs"}});
  EXPECT_THAT(dataset.languages(), ElementsAre("cs", "de"));
  EXPECT_TRUE(dataset.silent(0));
  EXPECT_FALSE(dataset.silent(1));
  EXPECT_EQ(dataset.captions().size(), 3U);
  EXPECT_THAT(dataset.captions_of(0, 0), IsEmpty());
  EXPECT_THAT(dataset.captions_of(0, 1), ElementsAre(1, 2));
  EXPECT_EQ(load(images, captions, {.languages = {"de"}, .silent = {"de"}}).captions().size(), 3U);
  // Also where the chosen sources leave it no caption.
  const Dataset mmt = load(images, captions,
                           {.languages = {"de", "fr"}, .sources = {Source::mmt}, .silent = {"de"}});
  EXPECT_TRUE(mmt.silent(0));
  EXPECT_FALSE(mmt.silent(1));
}

TEST_F(DatasetTest, AskingForWhatIsNotThereNamesWhatIs) {
  const Dataset dataset = load(images, captions);
  EXPECT_THAT([&] { dataset.split("tset"); },
              ThrowsMessage<InputError>(
                  HasSubstr("split 'tset' (did you mean 'test'?) (expected a split that exists: "
                            "test, train)")));
  EXPECT_THAT([&] { dataset.language("cs"); },
              ThrowsMessage<InputError>(HasSubstr("a language that it has: de, fr")));
  expect_refused(images, captions, "no captions in language 'cs'", {.languages = {"cs"}});
  expect_refused(images, captions, "language 'de' asked for twice", {.languages = {"de", "de"}});
  expect_refused(images, captions, "'de' from the chosen sources",
                 {.languages = {"de"}, .sources = {Source::mmt}});
}

TEST_F(DatasetTest, WhatIsWrongIsNamedWithItsLine) {
  const std::string image = R"({"image": "x", "split": "train"})"
                            "\n";
  const struct {
    std::string image, message;
  } bad_images[] = {
      {R"({"image": "x", "split": "train")", "images.jsonl:2: broken JSON at byte"},
      {R"(["image"])", "images.jsonl:2: not a JSON object"},
      {std::string(100000, '['), "images.jsonl:2: not a JSON object"},
      {R"({"a":)" + std::string(1000000, '['), "images.jsonl:2: broken JSON"},
      {R"({"image": "x", "split": "val"})", "images.jsonl:2: image 'x' for the second time"},
      {R"({"image": 7, "split": "val"})", "images.jsonl:2: value of 'image' is not a string"},
      {R"({"image": {"x": 1}, "split": "val"})", "value of 'image' is not a string"},
      {R"({"image": "y", "image": "z"})", "key 'image' twice"},
      {R"({"image": "y"})", "images.jsonl:2: missing key 'split'"},
      {R"({"image": "", "split": "val"})", "empty 'image'"},
      {R"({"image": "y\n", "split": "val"})", "control character in the image id"},
      {R"({"image": ")" + std::string(600, 'y') + R"(", "split": "val"})", "600 bytes"},
      {R"({"image": "y", "split": "val", "file": "/etc/x"})", "leaves the folder images/"},
      {R"({"image": "y", "split": "val", "file": "a/../../x"})", "leaves the folder images/"},
      {"{\"image\": \"\xC3\", \"split\": \"val\"}", "images.jsonl:2: broken UTF-8"},
  };
  for (const auto& [line, message] : bad_images) expect_refused(image + line, "", message);
  expect_refused("", "", "images.jsonl: no images");

  const std::string caption = R"({"image": "x", "lang": "de", "text": "Hund", "source": "mmt"})"
                              "\n\n";
  const struct {
    std::string caption, message;
  } bad_captions[] = {
      {R"({"image": "y", "lang": "de", "text": "Hund", "source": "mmt"})",
       "captions.jsonl:3: caption of unknown image 'y'"},
      {R"({"image": "0x.jpg", "lang": "de", "text": "Hund", "source": "mmt"})",
       "an image of images.jsonl, such as 'x'"},
      {R"({"image": "x.jpg", "lang": "de", "text": "Hund", "source": "mmt"})",
       "an image of images.jsonl; it has 'x', which differs in the ending"},
      {R"({"file_name": "x.jpg", "caption": "Hund"})",
       "missing key 'image'; the line has 'file_name', 'caption'"},
      {R"({"image": "x", "lang": "de", "text": " \t\u00a0\u3000", "source": "mmt"})",
       "captions.jsonl:3: empty caption"},
      {R"({"image": "x", "lang": "de", "text": ["Hund"], "source": "mmt"})",
       "value of 'text' is not a string"},
      {R"({"image": "x", "lang": "de", "text": "Hund", "source": "people"})",
       "captions.jsonl:3: unknown source 'people' (expected human-original, human-translation"},
      {R"({"image": "x", "lang": "de", "text": "Hund"})", "missing key 'source'"},
      {R"({"image": "x", "lang": "d", "text": "Hund", "source": "mmt"})", "language 'd'"},
      {R"({"image": "x", "lang": "../de", "text": "Hund", "source": "mmt"})", "language '../de'"},
  };
  for (const auto& [line, message] : bad_captions) expect_refused(image, caption + line, message);
}

TEST_F(DatasetTest, LanguagesAreAskedForByAnyOfTheirCodes) {
  const Dataset asked = load(images, captions, {.languages = {"fra_Latn", "DE"}});
  EXPECT_THAT(asked.languages(), ElementsAre("fra_Latn", "DE"));
  EXPECT_EQ(asked.language("fr-CA"), 0);
  const Dataset plain = load(images, captions, {.languages = {"fr", "de"}});
  EXPECT_EQ(asked.captions_of(0, 0), plain.captions_of(0, 0));
  EXPECT_THAT(
      load(images, captions, {.languages = {"fra_Latn", "DE"}, .own_codes = true}).languages(),
      ElementsAre("fr", "de"));
  expect_refused(images, captions, "language 'DE' asked for twice", {.languages = {"de", "DE"}});
}

TEST_F(DatasetTest, OnlyTheNearestOfSeveralCodesIsMeant) {
  const std::string image = R"({"image": "x", "split": "test"})";
  const auto caption = [](const std::string& code) {
    return R"({"image": "x", "lang": ")" + code +
           R"(", "text": "a", "source": "mmt"})"
           "\n";
  };
  const Dataset both = load(image, caption("zh-Hans") + caption("zh-Hant"),
                            {.languages = {"zh-TW"}, .own_codes = true});
  EXPECT_THAT(both.languages(), ElementsAre("zh-Hant"));
  EXPECT_EQ(both.captions().size(), 1U);
  EXPECT_EQ(both.captions_of(0, 0).size(), 1U);
}

TEST_F(DatasetTest, CodesStayAsTheFileHasThem) {
  const std::string image = R"({"image": "x", "split": "test"})";
  for (const char* code :
       {"zh-Hant-TW", "es-419", "zh_CN", "deu_Latn", "DE", "de-CH-1901", "german"}) {
    const std::string caption =
        std::string(R"({"image": "x", "lang": ")") + code + R"(", "text": "a", "source": "mmt"})";
    EXPECT_THAT(load(image, caption).languages(), ElementsAre(code));
  }
}

TEST_F(DatasetTest, AFolderThatIsNoDatasetIsNamed) {
  EXPECT_THAT([&] { Dataset::load(folder / "none"); },
              ThrowsMessage<InputError>(HasSubstr("none: no such folder")));
  EXPECT_THAT([&] { Dataset::load(folder); },
              ThrowsMessage<InputError>(HasSubstr("images.jsonl: no such file")));
}

TEST(RealDataset, HasThePublishedCounts) {
  const std::filesystem::path data = real_data();
  if (data.empty()) GTEST_SKIP() << "HINNY_DATA is not set";
  const Dataset dataset = Dataset::load(data / "flickr8k");
  EXPECT_THAT(dataset.languages(), ElementsAre("ar", "cs", "de", "en", "fr", "hi", "pt", "zh"));
  EXPECT_EQ(dataset.split("test").size(), 1000U);
  EXPECT_EQ(dataset.captions_of(dataset.split("test")[0], dataset.language("en")).size(), 5U);
}

}  // namespace
}  // namespace hinny
