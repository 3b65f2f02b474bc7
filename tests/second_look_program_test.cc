// A second look, as a user trains and measures one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "tests/program.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class SecondLookProgram : public testing::Test {
 protected:
  Outcome train(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"train", "hinny", "--data", data_.folder(), "--features",
                                      "toy",   "--out", run_,     "--threads",    "1"};
    for (const char* key : {"text.min_count=1", "train.epochs=8", "sample.images_per_batch=8",
                            "image.hidden=32", "text.dim=16", "dim=16", "hubs.size=20"}) {
      words.insert(words.end(), {"--set", key});
    }
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  }
  std::vector<std::string> with_look() const {
    std::vector<std::string> words = {"--regions", "grid"};
    for (const char* key :
         {"look.text.min_count=1", "look.train.epochs=8", "look.sample.images_per_batch=8",
          "look.image.hidden=32", "look.text.dim=16", "look.dim=16", "look.hubs.size=20"}) {
      words.insert(words.end(), {"--set", key});
    }
    return words;
  }
  Outcome eval(const std::vector<std::string>& more) const {
    std::vector<std::string> words = {"eval", run_, "--data", data_.folder(), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_hinny(words);
  }
  double average(const std::vector<std::string>& more) const {
    const Outcome outcome = eval(more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out)["average"].get<double>();
  }

  TinyDataset data_;
  Scratch scratch_;
  std::string run_ = scratch_ / "run";
};

TEST_F(SecondLookProgram, IsTrainedMeasuredAndResumed) {
  const Outcome trained = train(with_look());
  ASSERT_EQ(trained.code, 0) << trained.err;
  EXPECT_THAT(trained.err, HasSubstr("second look:"));
  EXPECT_TRUE(fs::exists(fs::path(run_) / "look" / "hubs.safetensors"));
  const double alone = average({}), both = average({"--rerank", "5"});
  EXPECT_GT(both, 40);
  EXPECT_NE(both, alone);
  EXPECT_EQ(average({"--rerank", "5", "--regions", "grid"}), both);

  // Lost between the trainings: the same command goes on.
  fs::remove_all(fs::path(run_) / "look");
  std::vector<std::string> again = with_look();
  again.push_back("--resume");
  ASSERT_EQ(train(again).code, 0);
  EXPECT_EQ(average({"--rerank", "5"}), both);
}

TEST_F(SecondLookProgram, MistakesAreNamed) {
  const Outcome keys = train({"--set", "look.train.epochs=3"});
  EXPECT_EQ(keys.code, 2);
  EXPECT_THAT(keys.err, HasSubstr("--regions"));
  const Outcome wrong = train({"--regions", "grid", "--set", "look.text.hidden=3"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("text.hidden"));
  EXPECT_FALSE(fs::exists(run_));  // before anything was trained
  ASSERT_EQ(train({}).code, 0);
  const Outcome none = eval({"--rerank", "5"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no second look"));
}

TEST_F(SecondLookProgram, IsNoModelToIndex) {
  ASSERT_EQ(train(with_look()).code, 0);
  const Outcome index = run_hinny({"index", (fs::path(run_) / "look").string(), "--data",
                                   data_.folder(), "--out", scratch_ / "index"});
  EXPECT_EQ(index.code, 2);
  EXPECT_THAT(index.err, HasSubstr("second look"));
}

}  // namespace
}  // namespace hinny
