#include "data/importers/crossmodal.h"

#include "base/read_file.h"
#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct CrossmodalTest : ImportTest {
  // Keys in another order than the alphabet's, and with the tokens of every caption.
  std::filesystem::path file = put(
      "captions.jsonl",
      R"({"quz": {"caption": ["iskay allqu"], "caption/tokenized": ["iskay allqu"],)"
      R"( "caption/tokenized/lowercase": ["iskay allqu"]},)"
      R"( "fil": {"caption": []}, "en": {"caption": ["Two dogs.", " A dog ", "Two dogs."],)"
      R"( "caption/tokenized": ["Two dogs .", "A dog", "Two dogs ."]},)"
      R"( "zh": {"caption": ["两只狗", ""]}, "image/key": "00a1b2c3d4e5f607", "image/locale": "quz"})"
      "\n\n"
      R"({"image/key": "1002", "image/locale": "en", "en": {"caption": ["A car"]}})"
      "\n");
  Dataset read(const CrossmodalOptions& options = {}) {
    return import([&](ImportWriter& writer) { import_crossmodal(source, options, writer); });
  }
  std::string error(const std::string& content) {
    put("captions.jsonl", content);
    return error_of([&](ImportWriter& writer) { import_crossmodal(source, {}, writer); });
  }
};

TEST_F(CrossmodalTest, EachLineIsAnImageInAllLanguages) {
  const Dataset dataset = read();
  EXPECT_THAT(images_of(dataset),
              ElementsAre("00a1b2c3d4e5f607 test 00a1b2c3d4e5f607.jpg", "1002 test 1002.jpg"));
  EXPECT_THAT(captions_of(dataset), ElementsAre("00a1b2c3d4e5f607 en human-original: Two dogs.",
                                                "00a1b2c3d4e5f607 en human-original: A dog",
                                                "00a1b2c3d4e5f607 quz human-original: iskay allqu",
                                                "00a1b2c3d4e5f607 zh human-original: 两只狗",
                                                "1002 en human-original: A car"));
  EXPECT_EQ(summary.skipped.at("empty caption").count, 1);
  EXPECT_EQ(summary.skipped.at("the same caption again").count, 1);
}

TEST_F(CrossmodalTest, AllThirtySixLanguages) {
  std::string line = R"({"image/key": "1")";
  for (const char* code :
       {"ar", "bn",  "cs", "da", "de", "el", "en", "es", "fa", "fi", "fil", "fr",
        "he", "hi",  "hr", "hu", "id", "it", "ja", "ko", "mi", "nl", "no",  "pl",
        "pt", "quz", "ro", "ru", "sv", "sw", "te", "th", "tr", "uk", "vi",  "zh"}) {
    line += std::string(R"(, ")") + code + R"(": {"caption": ["x"]})";
  }
  put("captions.jsonl", line + "}\n");
  EXPECT_EQ(read().languages().size(), 36U);
}

TEST_F(CrossmodalTest, TokensOnDemand) {
  put("captions.jsonl",
      R"({"image/key": "1", "en": {"caption": ["Two."], "caption/tokenized": ["Two ."]}})");
  CrossmodalOptions options;
  options.tokenised = true;
  EXPECT_THAT(captions_of(read(options)), ElementsAre("1 en human-original: Two ."));
}

TEST_F(CrossmodalTest, PicturesAreLinked) {
  put("images/00a1b2c3d4e5f607.jpg", "x");
  CrossmodalOptions options;
  options.pictures = PictureFolder(source / "images", {});
  const auto import = [&](ImportWriter& writer) { import_crossmodal(source, options, writer); };
  EXPECT_THAT(error_of(import), HasSubstr("captions.jsonl:3: no picture '1002.jpg' in "));
  put("images/1002.jpg", "y");
  const Dataset dataset = read(options);
  EXPECT_EQ(read_file(dataset.folder() / "images" / dataset.images()[1].file), "y");
  EXPECT_THROW(PictureFolder(source / "none", {}), InputError);
}

TEST_F(CrossmodalTest, WrongLinesAreNamed) {
  const std::string good = R"({"image/key": "1", "en": {"caption": ["x"]}})";
  EXPECT_THAT(error(good + "\n" + good), HasSubstr("captions.jsonl:2: image '1' for the second"));
  EXPECT_THAT(error(good + "\n[1]"), HasSubstr("captions.jsonl:2: not a JSON object"));
  EXPECT_THAT(error(R"({"key": "1"})"), HasSubstr("captions.jsonl:1: no usable \"image/key\""));
  EXPECT_THAT(error(R"({"image/key": "1", "en": ["x"]})"),
              HasSubstr("captions.jsonl:1: no usable \"caption\" in \"en\""));
  EXPECT_THAT(error(R"({"image/key": "1", "en": {"caption": "x"}})"),
              HasSubstr("a list of strings"));
  EXPECT_THAT(error(R"({"image/key": "1", "en": {"caption": [1]}})"), HasSubstr("in \"en\""));
  EXPECT_THAT(error(R"({"image/key": "1", "english": {"caption": ["x"]}})"),
              HasSubstr("captions.jsonl:1: language 'english'"));
  EXPECT_THAT(error(R"({"image/key": "1", "a": )" + std::string(40, '[')),
              HasSubstr("nested too deeply"));
  std::filesystem::remove(file);
  EXPECT_THAT(error_of([&](ImportWriter& writer) { import_crossmodal(source, {}, writer); }),
              HasSubstr("no captions.jsonl"));
  put("captions.jsonl", R"({"image/key": "1", "version": 2})");
  read();
  EXPECT_THAT(summary.skipped.at("key that is not known").places,
              ElementsAre(HasSubstr("version")));
}

}  // namespace
}  // namespace hinny
