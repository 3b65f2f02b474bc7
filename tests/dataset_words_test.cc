// Words that languages share: hinny inspect DATASET --words N.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "tests/program.h"

namespace hinny {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class DatasetWords : public testing::Test {
 protected:
  // English: ball (3 times), hand (2), red, dog; German: Ball (2), Hand, rot (2), Hund. What the
  // test pictures say counts for nothing.
  void SetUp() override {
    write_file(scratch_ / "images.jsonl", R"({"image": "a", "split": "train"})"
                                          "\n"
                                          R"({"image": "b", "split": "train"})"
                                          "\n"
                                          R"({"image": "c", "split": "test"})"
                                          "\n");
    const auto caption = [](const char* image, const char* lang, const char* text) {
      return json{{"image", image}, {"lang", lang}, {"text", text}, {"source", "human-original"}}
                 .dump() +
             "\n";
    };
    write_file(scratch_ / "captions.jsonl",
               caption("a", "en", "Ball, ball: red ball!") + caption("b", "en", "hand dog hand") +
                   caption("a", "de", "Ball ball rot rot") + caption("b", "de", "Hand Hund") +
                   caption("c", "de", "dog dog dog") + caption("c", "en", "Hund"));
  }
  json words(const std::string& least) const {
    const Outcome outcome = run_hinny({"inspect", folder_, "--words", least, "--json"});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out);
  }
  Scratch scratch_;
  const std::string folder_ = std::filesystem::path(scratch_).string();
};

TEST_F(DatasetWords, OverlapIsSharedWordsByWordsOfEither) {
  const json all = words("1");
  EXPECT_EQ(all["words"], (json{{"en", 4}, {"de", 4}}));
  EXPECT_EQ(all["words of all languages"], 8);
  EXPECT_EQ(all["different ones"], 6);
  EXPECT_EQ(all["overlap (Jaccard)"], (json{{"de", {{"en", 0.3333}}}}));
}

TEST_F(DatasetWords, RareWordsAreLeftOut) {
  const json frequent = words("2");
  EXPECT_EQ(frequent["words"], (json{{"en", 2}, {"de", 2}}));
  EXPECT_EQ(frequent["overlap (Jaccard)"],
            (json{{"de", {{"en", 0.3333}}}}));  // ball of ball, hand, rot
  EXPECT_EQ(words("3")["overlap (Jaccard)"], (json{{"de", {{"en", 0.0}}}}));
}

TEST_F(DatasetWords, OfAModelThereIsNoSuchThing) {
  const Outcome outcome = run_hinny({"inspect", scratch_ / "none", "--words", "4"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("no such file or folder"));
  EXPECT_THAT(run_hinny({"inspect", folder_, "--words", "0"}).err, HasSubstr("--words"));
  EXPECT_THAT(run_hinny({"inspect", folder_, "--words", "4", "--latent"}).err,
              HasSubstr("--latent"));
}

}  // namespace
}  // namespace hinny
