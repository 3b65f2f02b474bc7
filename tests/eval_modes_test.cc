// An option of hinny eval acts in the mode that it is given in, or is refused: none is dropped.
#include <gmock/gmock.h>

#include "tests/program.h"
#include "tests/tiny_dataset.h"
#include "tests/tiny_parallel_text.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::HasSubstr;
using Words = std::vector<std::string>;

class EvalModes : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    data_ = new TinyDataset;
    scratch_ = new Scratch;
    const Outcome outcome =
        run_hinny(tiny_training(data_->folder(), run(), {"--set", "train.epochs=1"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  static void TearDownTestSuite() {
    delete data_;
    delete scratch_;
  }
  static std::string run() { return (*scratch_ / "run").string(); }
  static Outcome eval(const std::string& of, const Words& more) {
    Words words = {"eval", of, "--data", data_->folder()};
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  }

  static TinyDataset* data_;
  static Scratch* scratch_;
};
TinyDataset* EvalModes::data_ = nullptr;
Scratch* EvalModes::scratch_ = nullptr;

TEST_F(EvalModes, RefuseTheOptionsOfOthers) {
  const std::string prefix = *scratch_ / "rankings";
  const Words against = {"--against", run()}, with = {"--with", run()}, hard = {"--hard", "3"},
              rerank = {"--rerank", "10"}, rankings = {"--run", prefix}, table = {"--markdown"};
  const std::vector<std::pair<Words, std::vector<Words>>> modes = {
      {against, {rankings, hard, rerank, with}},
      {with, {rerank, rankings}},
      {hard, {rankings, rerank, table, against}},
      {rerank, {rankings, with, hard, against}}};
  for (const auto& [mode, others] : modes) {
    for (const Words& other : others) {
      Words words = mode;
      words.insert(words.end(), other.begin(), other.end());
      const Outcome outcome = eval(run(), words);
      EXPECT_EQ(outcome.code, 2) << mode[0] << " " << other[0];
      EXPECT_EQ(outcome.out, "");
      EXPECT_THAT(outcome.err, HasSubstr(mode[0])) << other[0];
      EXPECT_THAT(outcome.err, HasSubstr(other[0])) << mode[0];
    }
  }
  EXPECT_EQ(eval(run(), {"--hard", "3", "--with", run()}).code, 0);
}

TEST_F(EvalModes, OfATranslatorRefuseWhatRetrievalHas) {
  const TinyParallelText lines;
  const std::string translator = *scratch_ / "nmt";
  Words words = {"train",    "nmt",         "--data", lines.folder(), "--out",
                 translator, "--languages", "en,de",  "--threads",    "1"};
  for (const char* key : {"translation.embedding=8", "translation.hidden=8", "train.epochs=1"}) {
    words.insert(words.end(), {"--set", key});
  }
  const Outcome trained = run_hinny(words);
  ASSERT_EQ(trained.code, 0) << trained.err;
  for (const Words& option :
       {Words{"--run", *scratch_ / "x"}, Words{"--hard", "3"}, Words{"--rerank", "10"},
        Words{"--with", run()}, Words{"--against", run()}, Words{"--hubs", "off"},
        Words{"--markdown"}, Words{"--folds", "1"}}) {
    const Outcome outcome = eval(translator, option);
    EXPECT_EQ(outcome.code, 2) << option[0];
    EXPECT_THAT(outcome.err, HasSubstr(option[0] + " has no effect for a model that translates"));
  }
  EXPECT_THAT(eval(translator, {"--features", "toy"}).err, HasSubstr("--features"));
}

TEST_F(EvalModes, AFolderForRankingsIsMissedBeforeAnythingIsMeasured) {
  const Outcome outcome = eval(run(), {"--run", *scratch_ / "none" / "x"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(outcome.err, HasSubstr("none: no such folder"));
}

}  // namespace
}  // namespace hinny
