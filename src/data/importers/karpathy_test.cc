#include "data/importers/karpathy.h"

#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kCoco = R"({"dataset": "coco", "extra": [[1, {"images": [2]}]], "images": [
  {"filepath": "val2014", "sentids": [1, 2], "filename": "COCO_val2014_000000391895.jpg", "imgid": 0,
   "split": "restval", "cocoid": 391895, "sentences": [
     {"tokens": ["a", "man"], "raw": "A man.\n", "imgid": 0, "sentid": 1},
     {"tokens": ["un", "café"], "raw": "Un caf\u00e9 \ud83d\ude00", "imgid": 0, "sentid": 2}]},
  {"sentences": [], "split": "test", "filename": "1000268201_693b08cb0e.jpg"}]})";

struct KarpathyTest : ImportTest {
  Dataset read(const std::string& json, const KarpathyOptions& options = {}) {
    const auto file = put("dataset.json", json);
    return import([&](ImportWriter& writer) { import_karpathy(file, options, writer); });
  }
  std::string error(const std::string& json) {
    const auto file = put("dataset.json", json);
    return error_of([&](ImportWriter& writer) { import_karpathy(file, {}, writer); });
  }
};

TEST_F(KarpathyTest, ReadsSentencesAndSplits) {
  const Dataset dataset = read(kCoco);
  EXPECT_THAT(images_of(dataset),
              ElementsAre("391895 restval val2014/COCO_val2014_000000391895.jpg",
                          "1000268201 test 1000268201_693b08cb0e.jpg"));
  EXPECT_THAT(captions_of(dataset), ElementsAre("391895 en human-original: A man.",
                                                "391895 en human-original: Un café 😀"));
  EXPECT_EQ(summary.images_without_captions, 1);
}

TEST_F(KarpathyTest, TokensAndRestvalByChoice) {
  const Dataset dataset =
      read(kCoco, {.language = "fr", .tokenised = true, .restval_as_train = true});
  EXPECT_EQ(dataset.images()[0].split, "train");
  EXPECT_THAT(captions_of(dataset),
              ElementsAre("391895 fr human-original: a man", "391895 fr human-original: un café"));
}

TEST_F(KarpathyTest, WrongFilesAreNamedWithTheirLine) {
  EXPECT_THAT(error("{\"images\": [\n{\"filename\": \"a.jpg\"}]}"),
              HasSubstr("dataset.json:2: images[0]: no usable \"split\""));
  EXPECT_THAT(error("{\"images\": [{}\n,\n{]"), HasSubstr("images[0]"));
  EXPECT_THAT(error("{\"images\": []"), HasSubstr("broken JSON"));
  EXPECT_THAT(error("{\"images\": [\n\"\xC3\"]}"), HasSubstr("dataset.json:2: broken JSON"));
  EXPECT_THAT(error("{\"images\": {}}"), HasSubstr("\"images\" is not an array"));
  EXPECT_THAT(error("{\"images\": [3]}"), HasSubstr("not an object"));
  EXPECT_THAT(error("{\"images\": [[]]}"), HasSubstr("not an object"));
  EXPECT_THAT(error("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error("{}"), HasSubstr("no \"images\""));
  EXPECT_THAT(error(R"({"images": [{"file_name": "a.jpg", "split": "train"}]})"),
              HasSubstr("no usable \"filename\"; it has \"file_name\""));
  EXPECT_THAT(error(R"({"images": [{"filename": "a.jpg", "split": "train",
                                    "sentences": [{"tokens": ["a"]}]}]})"),
              HasSubstr("--tokenised"));
  EXPECT_EQ(read("\uFEFF" + std::string(kCoco)).images().size(), 2U);
  EXPECT_THAT(error(""), HasSubstr("broken JSON"));
  const std::string image = R"({"filename": "a.jpg", "split": "train", "sentences": []})";
  EXPECT_THAT(error("{\"images\": [" + image + "," + image + "]}"),
              HasSubstr("images[1]: image 'a' is there twice"));
}

TEST_F(KarpathyTest, NeitherDepthNorLengthExhaustsMemory) {
  EXPECT_THAT(error("{\"images\": [{\"sentences\": " + std::string(1 << 20, '[')),
              HasSubstr("nested too deeply"));
  EXPECT_THAT(error("{\"other\": " + std::string(1 << 20, '[')), HasSubstr("nested too deeply"));
  EXPECT_THAT(error("{\"images\": [{\"filename\": \"" + std::string(20 << 20, 'a')),
              HasSubstr("does not end"));
}

}  // namespace
}  // namespace hinny
