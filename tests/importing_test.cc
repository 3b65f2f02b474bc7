// hinny import, as it is called: options wherever they stand, what one format writes read by the
// next, and of bad input one line that names file and place, with nothing written.
#include <gmock/gmock.h>

#include <filesystem>
#include <map>

#include "data/dataset.h"
#include "tests/program.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class Importing : public testing::Test {
 protected:
  std::string put(const std::string& name, const std::string& content) const {
    const std::string path = scratch_ / name;
    fs::create_directories(fs::path(path).parent_path());
    write_file(path, content);
    return path;
  }
  std::string out(const std::string& name) const { return scratch_ / name; }

  // What `hinny import WORDS` says on stdout.
  std::string said(const Words& words) const {
    const Outcome outcome = run_import(words);
    EXPECT_EQ(outcome.code, 0) << testing::PrintToString(words) << outcome.err;
    return outcome.out;
  }
  // By image.
  std::map<std::string, std::string> splits(const std::string& name) const {
    std::map<std::string, std::string> found;
    const Dataset dataset = Dataset::load(out(name));
    for (const Image& image : dataset.images()) found[image.id] = image.split;
    return found;
  }
  void expect_refusal(Words words, const std::string& says) const {
    words.insert(words.end(), {"--out", out("refused")});
    const Outcome outcome = run_import(words);
    EXPECT_EQ(outcome.code, 2) << testing::PrintToString(words);
    EXPECT_THAT(outcome.err, HasSubstr(says));
    EXPECT_EQ(std::ranges::count(outcome.err, '\n'), 1) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_FALSE(fs::exists(out("refused")));
  }

 private:
  static Outcome run_import(const Words& words) {
    Words all{"import"};
    all.insert(all.end(), words.begin(), words.end());
    return run_hinny(all);
  }
  const Scratch scratch_;
};

TEST_F(Importing, OptionsTakeNoSourceThatFollows) {
  put("train.en", "a dog\na cat\n");
  put("train.de", "ein Hund\neine Katze\n");
  const std::string prefix = out("train");
  EXPECT_THAT(said({"parallel", "--languages", "en,de", prefix, "--out", out("a")}),
              HasSubstr("captions: de 2, en 2"));
  EXPECT_THAT(said({"parallel", "--source", "mmt", "--split", "val", prefix, "--languages", "en,de",
                    "--out", out("b")}),
              HasSubstr("2 images (val 2)"));
  const std::string coco =
      put("train.json", R"({"images":[{"id":1}],"annotations":[{"image_id":1,"caption":"x"}]})");
  EXPECT_THAT(said({"coco", "--lang", "ja", coco, "--out", out("c")}), HasSubstr("captions: ja 1"));
}

// MULE's way: English and Japanese from COCO's form, Chinese from COCO-CN, the split from what all
// three have.
TEST_F(Importing, CollectionsComeTogetherAndASplitIsDrawnOfThem) {
  std::string images, captions, chinese, list;
  for (int i = 1; i <= 40; ++i) {
    const std::string id = std::to_string(i), number = std::string(12 - id.size(), '0') + id;
    images += (i > 1 ? "," : "") + std::string("{\"id\":") + id + "}";
    captions += (i > 1 ? "," : "") + std::string("{\"image_id\":") + id + ",\"caption\":\"c\"}";
    if (i % 2 == 0) chinese += "COCO_train2014_" + number + "#0\t一只狗\n";
    if (i % 2 == 0) list += "COCO_train2014_" + number + "\n";
  }
  const std::string file = "{\"images\":[" + images + "],\"annotations\":[" + captions + "]}";
  const std::string english = put("captions_train2014.json", file);
  const std::string japanese = put("yjcaptions26k_clean.json", file);
  put("cn/imageid.human-written-caption.txt", chinese);
  put("cn/coco-cn_train.txt", list);
  said({"coco", english, japanese, "--lang", "en", "--lang", "ja", "--split", "train", "--out",
        out("coco")});
  said({"coco-cn", out("cn"), "--out", out("coco-cn")});
  for (const auto& [name, seed] : {std::pair{"drawn0", "1"}, {"drawn1", "1"}, {"drawn2", "2"}}) {
    EXPECT_THAT(said({"dataset", out("coco"), out("coco-cn"), "--draw", "5/6", "--having",
                      "en,ja,zh", "--seed", seed, "--out", out(name)}),
                HasSubstr("40 images (test 6, train 29, val 5)\ncaptions: en 40, ja 40, zh 20"));
  }
  const auto bytes = [&](const std::string& name) { return read_file(out(name)); };
  for (const char* part : {"/images.jsonl", "/captions.jsonl"}) {
    EXPECT_EQ(bytes(std::string("drawn0") + part), bytes(std::string("drawn1") + part));
  }
  EXPECT_NE(bytes("drawn0/images.jsonl"), bytes("drawn2/images.jsonl"));
  // A folder may be called as a format is.
  EXPECT_THAT(
      run_hinny({"import", "dataset", "coco", "coco-cn", "--out", "named"}, {.folder = out("")})
          .out,
      HasSubstr("40 images"));
  // The drawn split serves other imports of these images.
  said({"coco", japanese, "--lang", "ja", "--split-file", out("drawn0/images.jsonl"), "--out",
        out("again")});
  EXPECT_EQ(splits("again"), splits("drawn0"));
}

TEST_F(Importing, OfBadInputOneLineNamesThePlace) {
  put("train.en", "a\nb\nc\n");
  put("train.de", "a\nb\n");
  expect_refusal({"parallel", out("train"), "--languages", "en,de"},
                 "train.de:3: the file ends before this line");
  expect_refusal({"parallel", put("cut.tmx", "<tmx><body>\n<tu><tuv xml:lang=\"en\"><seg>a dog"),
                  "--split", "train"},
                 "cut.tmx:2: the file ends inside of <seg>");
  expect_refusal(
      {"parallel", put("bad.tsv", "a\tb\nc\t\xC3(\n"), "--split", "train", "--languages", "en,de"},
      "bad.tsv:2: broken UTF-8");
  const std::string coco = put("train.json",
                               "{\"images\":[{\"id\":2}],\n\"annotations\":["
                               "{\"image_id\":1,\"caption\":\"x\"}]}");
  expect_refusal({"coco", coco}, "train.json:2: annotations[0]: caption of an unknown image '1'");
  expect_refusal({"coco", coco, "--split-file", put("splits.txt", "2 train\n3 val\n2 train\n")},
                 "splits.txt:3: image '2' for the second time");
  put("cn/imageid.human-written-caption.txt", "COCO_train2014_000000000001#0\tx\n");
  put("cn/coco-cn_train.txt", "COCO_train2014_000000000001\nCOCO_train2014_000000000001\n");
  expect_refusal({"coco-cn", out("cn")}, "coco-cn_train.txt:2: 'COCO_train2014_000000000001' for");
}

}  // namespace
}  // namespace hinny
