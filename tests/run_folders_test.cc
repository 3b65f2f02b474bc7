// A run folder: one writer at a time, one set of data, and longer trainings than were planned.
#include <gmock/gmock.h>

#include <future>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/atomic_file.h"
#include "base/read_file.h"
#include "tests/program.h"
#include "tests/tiny_dataset.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

using testing::AllOf;
using testing::HasSubstr;
using Words = std::vector<std::string>;

class RunFolders : public testing::Test {
 protected:
  Words training(const std::string& run, int epochs, Words more = {}) const {
    more.insert(more.end(), {"--set", "train.epochs=" + std::to_string(epochs)});
    return tiny_training(data_.folder(), run, more);
  }
  // Without the captions for which `is_gone` says so.
  template <typename IsGone>
  void drop_captions(const IsGone& is_gone) const {
    const fs::path file = data_.folder() / "captions.jsonl";
    std::istringstream captions(read_file(file));
    std::string kept;
    for (std::string line; std::getline(captions, line);) {
      if (!is_gone(nlohmann::json::parse(line))) kept += line + "\n";
    }
    write_file(file, kept);
  }
  static Outcome stopped(const Words& words, const std::string& run, int lines) {
    RunOptions options;
    options.kill_when = logged(run, lines);
    options.kill_signal = SIGINT;
    return run_hinny(words, options);
  }

  TinyDataset data_;
  Scratch scratch_;
};

TEST_F(RunFolders, HaveOneWriter) {
  const std::string run = scratch_ / "run";
  RunOptions options;
  bool told = false;
  std::future<Outcome> second;
  options.kill_signal = SIGINT;
  options.kill_when = [&] {
    if (!told && logged(run, 1)()) {
      told = true;
      second = std::async(std::launch::async, [&] {
        return run_hinny(training(run, 1'000'000, {"--seed", "2", "--resume"}));
      });
    }
    return told && second.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  };
  const Outcome first = run_hinny(training(run, 1'000'000), options);
  EXPECT_EQ(first.code, 130) << first.err;
  const Outcome refused = second.get();
  EXPECT_EQ(refused.code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr(run), HasSubstr("writes in this folder now")));
  EXPECT_THAT(read_file(fs::path(run) / "recipe.toml"), HasSubstr("\nseed = 1\n"));
  EXPECT_FALSE(fs::exists(fs::path(run) / ".lock"));
}

TEST_F(RunFolders, OfTwoThatResumeAtOnceOneIsRefused) {
  const std::string run = scratch_ / "run";
  const Words words = training(run, 300, {"--checkpoint-seconds", "0.01", "--resume"});
  ASSERT_EQ(stopped(words, run, 20).code, 130);
  auto other = std::async(std::launch::async, [&] { return run_hinny(words); });
  const Outcome one = run_hinny(words), two = other.get();
  EXPECT_EQ(std::min(one.code, two.code), 0) << one.err << two.err;
  // Where one had ended before the other began, there was nothing left to do for it.
  if (std::max(one.code, two.code) != 0) {
    EXPECT_EQ(std::max(one.code, two.code), 2);
    EXPECT_THAT(one.err + two.err, HasSubstr("writes in this folder now"));
  }
  std::istringstream log(read_file(fs::path(run) / "metrics.jsonl"));
  std::int64_t before = 0;
  for (std::string text; std::getline(log, text);) {
    const auto line = nlohmann::json::parse(text);
    if (!line.contains("loss")) continue;
    EXPECT_GT(line["step"].get<std::int64_t>(), before);
    before = line["step"];
  }
}

TEST_F(RunFolders, GoOnWithTheSameDataAlone) {
  const std::string run = scratch_ / "run";
  const Words words = training(run, 2, {"--resume"});
  ASSERT_EQ(run_hinny(words).code, 0);
  // What no training reads may change.
  drop_captions([](const nlohmann::json& caption) { return caption["image"] == "i39"; });
  EXPECT_EQ(run_hinny(words).code, 0);
  const std::string captions = read_file(data_.folder() / "captions.jsonl");
  drop_captions([](const nlohmann::json& caption) { return caption["image"] == "i3"; });
  const Outcome fewer = run_hinny(words);
  EXPECT_EQ(fewer.code, 2);
  EXPECT_THAT(fewer.err, HasSubstr("was begun on other captions (128, now 124)"));
  write_file(data_.folder() / "captions.jsonl", captions);

  const fs::path features = data_.folder() / "features" / "toy.npy";
  std::string bytes = read_file(features);
  bytes[bytes.size() - 38 * 12 * 4] ^= 1;
  write_file(features, bytes);
  const Outcome other = run_hinny(words);
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("was begun on other features"));
}

// A language that validation needs is missed before anything is learnt, and leaves nothing.
TEST_F(RunFolders, OfWhatValidationLacksNothingIsLeft) {
  const std::string run = scratch_ / "runs" / "a";
  drop_captions([](const nlohmann::json& caption) {
    const int image = std::stoi(caption["image"].get<std::string>().substr(1));
    return caption["lang"] == "de" && image >= 24 && image < 32;
  });
  const Outcome lacking = run_hinny(training(run, 2));
  EXPECT_EQ(lacking.code, 2);
  EXPECT_THAT(lacking.err, HasSubstr("no caption in language 'de' in split 'val'"));
  EXPECT_FALSE(fs::exists(scratch_ / "runs"));
  const Outcome by =
      run_hinny(training(run, 2, {"--languages", "en", "--set", "train.best_by=de"}));
  EXPECT_EQ(by.code, 2);
  EXPECT_THAT(by.err, HasSubstr("train.best_by = 'de'"));
  EXPECT_EQ(run_hinny(training(run, 2, {"--languages", "en"})).code, 0);
  const Outcome wrong = run_hinny({"train", "bag", "--data", scratch_ / "none", "--features", "toy",
                                   "--out", scratch_ / "other"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_FALSE(fs::exists(scratch_ / "other"));
}

TEST_F(RunFolders, InWhichNothingWasLearntMayBeUsed) {
  const std::string run = scratch_ / "run";
  ASSERT_EQ(run_hinny(training(run, 2)).code, 0);
  EXPECT_THAT(run_hinny(training(run, 3)).err, HasSubstr("holds a training already"));
  fs::remove_all(fs::path(run) / "checkpoint");
  EXPECT_THAT(run_hinny(training(run, 3)).err, HasSubstr("holds a training already"));
  fs::remove(fs::path(run) / "model.safetensors");
  for (const Words& more : {Words{}, Words{"--resume"}}) {
    const Outcome again = run_hinny(training(run, 3, more));
    EXPECT_EQ(again.code, 0) << again.err;
    fs::remove_all(fs::path(run) / "checkpoint");
    fs::remove(fs::path(run) / "model.safetensors");
  }
}

TEST_F(RunFolders, TheRerankersNeedsAreSeenBeforeTheFirstTraining) {
  const std::string run = scratch_ / "run";
  const Outcome none = run_hinny(training(run, 2, {"--regions", "nothing"}));
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no features 'nothing'"));
  const Outcome flat = run_hinny(training(run, 2, {"--regions", "toy"}));
  EXPECT_EQ(flat.code, 2);
  EXPECT_THAT(flat.err, HasSubstr("features 'toy' have one vector a picture"));
  EXPECT_FALSE(fs::exists(run));
}

TEST_F(RunFolders, TrainedLongerEqualUnbrokenOnes) {
  const std::string whole = scratch_ / "whole", longer = scratch_ / "longer";
  const Words constant = {"--set", "train.schedule=constant"};
  ASSERT_EQ(run_hinny(training(whole, 6, constant)).code, 0);
  ASSERT_EQ(run_hinny(training(longer, 2, constant)).code, 0);
  Words more = constant;
  more.insert(more.end(), {"--more-epochs", "4"});
  const Outcome outcome = run_hinny(training(longer, 2, more));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("4 more epochs, to batch 18"));
  EXPECT_EQ(read_file(fs::path(whole) / "model.safetensors"),
            read_file(fs::path(longer) / "model.safetensors"));
  EXPECT_THAT(read_file(fs::path(longer) / "recipe.toml"),
              AllOf(HasSubstr("\nepochs = 2\n"), HasSubstr("\nmore_epochs = [4]\n")));
  // Done is done, and goes on longer still.
  EXPECT_EQ(run_hinny(training(longer, 2, {"--resume", "--set", "train.schedule=constant"})).code,
            0);
  more.back() = "1";
  EXPECT_THAT(run_hinny(training(longer, 2, more)).err, HasSubstr("1 more epoch, to batch 21"));
  EXPECT_THAT(read_file(fs::path(longer) / "recipe.toml"), HasSubstr("\nmore_epochs = [4, 1]\n"));
}

TEST_F(RunFolders, ACosineStartsOverWithMoreEpochs) {
  const std::string run = scratch_ / "run";
  const Words keys = {"--set", "train.schedule=cosine", "--set", "train.log_every=1"};
  ASSERT_EQ(run_hinny(training(run, 2, keys)).code, 0);
  Words more = keys;
  more.insert(more.end(), {"--more-epochs", "3"});
  const Outcome outcome = run_hinny(training(run, 2, more));
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_THAT(outcome.err, HasSubstr("falls once more from 0.002 to 0"));
  std::vector<double> rates;
  std::istringstream log(read_file(fs::path(run) / "metrics.jsonl"));
  for (std::string text; std::getline(log, text);) {
    const auto line = nlohmann::json::parse(text);
    if (line.contains("learning_rate")) rates.push_back(line["learning_rate"]);
  }
  ASSERT_EQ(rates.size(), 15U);
  EXPECT_LT(rates[5], 4e-4);
  EXPECT_EQ(rates[6], 2e-3);
  EXPECT_TRUE(std::is_sorted(rates.rbegin(), rates.rend() - 6));
  EXPECT_LT(rates[14], 4e-4);
}

// What was asked for once is not added again by the command that goes on after Ctrl-C.
TEST_F(RunFolders, MoreEpochsThatWereStoppedGoOn) {
  const std::string run = scratch_ / "run";
  ASSERT_EQ(run_hinny(training(run, 2)).code, 0);
  const Words longer = training(run, 2, {"--more-epochs", "100000"});
  ASSERT_EQ(stopped(longer, run, 10).code, 130);
  ASSERT_EQ(stopped(longer, run, 20).code, 130);
  EXPECT_THAT(read_file(fs::path(run) / "recipe.toml"), HasSubstr("more_epochs = [100000]"));
  const Outcome other = run_hinny(training(run, 2, {"--more-epochs", "5"}));
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("100000 more epochs were asked for and are not done yet"));
}

TEST_F(RunFolders, WithoutATrainingThereIsNothingToTrainLonger) {
  const std::string run = scratch_ / "run";
  const Outcome none = run_hinny(training(run, 2, {"--more-epochs", "5"}));
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("no training to go on with"));
  EXPECT_FALSE(fs::exists(run));
  ASSERT_EQ(run_hinny(training(run, 2)).code, 0);
  const Outcome by_recipe = run_hinny(training(run, 3, {"--resume"}));
  EXPECT_EQ(by_recipe.code, 2);
  EXPECT_THAT(by_recipe.err,
              AllOf(HasSubstr("another train.epochs"), HasSubstr("--more-epochs N")));
}

}  // namespace
}  // namespace hinny
