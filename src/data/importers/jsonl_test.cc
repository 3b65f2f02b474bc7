#include "data/importers/jsonl.h"

#include "data/importers/import_fixture.h"

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct JsonlTest : ImportTest {
  Dataset read(const std::string& lines, const JsonlOptions& options = {}) {
    const auto file = put("captions.jsonl", lines);
    return import([&](ImportWriter& writer) { import_jsonl(file, options, writer); });
  }
  std::string error(const std::string& lines, const JsonlOptions& options = {}) {
    const auto file = put("captions.jsonl", lines);
    return error_of([&](ImportWriter& writer) { import_jsonl(file, options, writer); });
  }
};

TEST_F(JsonlTest, TakesLooseLines) {
  const Dataset dataset = read(R"({"image": 7, "text": "a dog"}
{"image": "7", "lang": "de", "text": "ein Hund", "source": "mmt", "split": "val", "file": "7.png"}

{"file": "b/c.jpg", "split": "train", "tetx": [1, {"deep": 2}]}
)",
                               {.language = "en"});
  EXPECT_THAT(images_of(dataset), ElementsAre("7 val 7.png", "b/c.jpg train b/c.jpg"));
  EXPECT_THAT(captions_of(dataset),
              ElementsAre("7 en human-original: a dog", "7 de mmt: ein Hund"));
  EXPECT_THAT(summary.skipped.at("key that is not known").places,
              ElementsAre(HasSubstr(":4: 'tetx' (did you mean 'text'?)")));
}

TEST_F(JsonlTest, SplitsByHashOfTheId) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) {
    lines += "{\"image\": " + std::to_string(i) + ", \"lang\": \"en\", \"text\": \"x\"}\n";
  }
  const Dataset all = read(lines, {.shares = parse_shares("80/10/10")});
  EXPECT_NEAR(static_cast<double>(all.split("train").size()), 800, 50);
  EXPECT_NEAR(static_cast<double>(all.split("val").size()), 100, 40);
  // An image stays where it is whatever else the file holds.
  const Dataset one =
      read(R"({"image": 5, "lang": "en", "text": "x"})", {.shares = parse_shares("80/10/10")});
  EXPECT_EQ(one.images()[0].split, all.images()[5].split);
  // Pinned: another hash would move images between the splits of people's collections.
  EXPECT_EQ(split_by_hash("cat.jpg", {1, 0, 0}), "train");
  EXPECT_EQ(split_by_hash("cat.jpg", {0, 0, 3}), "test");
}

TEST_F(JsonlTest, SharesAreChecked) {
  EXPECT_THAT(parse_shares("7/0/3"), ElementsAre(7, 0, 3));
  for (const char* wrong : {"", "80", "80/20", "80/10/10/", "0/0/0", "-1/1/1", "a/b/c"}) {
    EXPECT_THROW(parse_shares(wrong), InputError) << wrong;
  }
}

TEST_F(JsonlTest, WrongLinesAreNamed) {
  const std::string head = "{\"image\":\"1\",\"split\":\"train\"}\n";
  EXPECT_THAT(error(head + "{"), HasSubstr("captions.jsonl:2: not a JSON object"));
  EXPECT_THAT(error(head + "[1]"), HasSubstr("captions.jsonl:2: not a JSON object"));
  EXPECT_THAT(error(head + std::string(100000, '[')), HasSubstr(":2: not a JSON object"));
  EXPECT_THAT(error(head + "{\"a\":" + std::string(100000, '[')), HasSubstr(":2: nested too"));
  EXPECT_THAT(error(head + "{\"image\":\"1\",\"text\":\"x\"}"), HasSubstr(":2: no \"lang\""));
  EXPECT_THAT(error(head + "{\"image\":\"1\",\"lang\":\"en\"}"), HasSubstr("no usable \"text\""));
  EXPECT_THAT(error(head + "{\"text\":\"x\"}"), HasSubstr(":2: no usable \"file\""));
  EXPECT_THAT(error(head + R"({"file_name":"1.png","text":"x"})"),
              HasSubstr("it has \"file_name\" (expected \"image\" or \"file\"; hinny import "));
  EXPECT_THAT(error(head + R"({"image":"1","lang":"en","captions":["x"]})"),
              HasSubstr(":2: no usable \"text\"; it has \"captions\""));
  EXPECT_THAT(error(head + "{\"image\":\"1\",\"split\":\"val\"}"), HasSubstr(":2: split 'val'"));
  EXPECT_THAT(error("{\"image\":\"1\"}"), HasSubstr(":1: image '1' has no split"));
  EXPECT_THAT(error(head + R"({"image":"1","lang":"en","text":"x","source":"me"})"),
              HasSubstr(":2: source 'me'"));
}

}  // namespace
}  // namespace hinny
