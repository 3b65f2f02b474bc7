// A training that is killed and resumed ends bit for bit as an unbroken one.
#include <gtest/gtest.h>

#include <algorithm>

#include "base/content_hash.h"
#include "base/read_file.h"
#include "tests/parameter_name.h"
#include "tests/program.h"
#include "tests/tiny_dataset.h"
#include "tests/tiny_parallel_text.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

class Resume : public testing::Test {
 protected:
  // `epochs` of three batches.
  std::vector<std::string> training(const std::string& run, int epochs,
                                    std::vector<std::string> more = {}) const {
    more.insert(more.end(), {"--set", "train.epochs=" + std::to_string(epochs)});
    return tiny_training(data_.folder(), run, more);
  }
  TinyDataset data_;
  Scratch scratch_;
};

using Training = std::function<std::vector<std::string>(const std::string& run)>;

// With checkpoints as often as a training so short needs them.
std::vector<std::string> kept(std::vector<std::string> words) {
  words.insert(words.end(), {"--checkpoint-seconds", "0.01"});
  return words;
}

// Trains `whole`; then `broken`, stopped by `signal` whenever its log has so many lines.
void expect_stopped_equals_whole(const Training& training, const std::string& whole,
                                 const std::string& broken,
                                 std::initializer_list<std::ptrdiff_t> lines, int signal) {
  ASSERT_EQ(run_hinny(kept(training(whole))).code, 0);
  for (const std::ptrdiff_t line : lines) {
    RunOptions options;
    options.kill_when = logged(broken, line);
    options.kill_signal = signal;
    const Outcome outcome = run_hinny(kept(training(broken)), options);
    ASSERT_EQ(outcome.code, signal == SIGINT ? 130 : 128 + signal) << outcome.err;
  }
  ASSERT_TRUE(fs::exists(fs::path(broken) / "checkpoint" / "last.safetensors"));
  ASSERT_EQ(run_hinny(kept(training(broken))).code, 0);
  for (const char* file : {"model.safetensors", "vocabulary.tsv", "config.json", "recipe.toml"}) {
    EXPECT_EQ(content_hash(fs::path(whole) / file), content_hash(fs::path(broken) / file)) << file;
  }
}

TEST_F(Resume, KilledAnywhereAndResumedEqualsUnbroken) {
  const auto words = [&](const std::string& run) { return training(run, 400, {"--resume"}); };
  expect_stopped_equals_whole(words, scratch_ / "whole", scratch_ / "broken", {1, 23, 71, 160},
                              SIGKILL);
}

// Frozen vectors stand in the checkpoint alone; learnt ones are learnt once.
TEST_F(Resume, WordVectorsAreNotLearntAgain) {
  constexpr int kEpochs = 400;
  for (const std::string finetune : {"true", "false"}) {
    const std::vector<std::string> words = {"--resume", "--set", "text.vectors=train", "--set",
                                            "text.finetune=" + finetune};
    const std::string whole = scratch_ / ("whole-" + finetune);
    const std::string broken = scratch_ / ("broken-" + finetune);
    const Outcome first = run_hinny(training(whole, kEpochs, words));
    ASSERT_EQ(first.code, 0) << first.err;
    EXPECT_NE(first.err.find("word vectors"), std::string::npos) << first.err;
    RunOptions options;
    options.kill_when = logged(broken, 5);
    ASSERT_EQ(run_hinny(kept(training(broken, kEpochs, words)), options).code, 128 + SIGKILL);
    const Outcome second = run_hinny(training(broken, kEpochs, words));
    ASSERT_EQ(second.code, 0) << second.err;
    EXPECT_EQ(second.err.find("word vectors"), std::string::npos) << second.err;
    EXPECT_EQ(content_hash(fs::path(whole) / "model.safetensors"),
              content_hash(fs::path(broken) / "model.safetensors"));
  }
}

// From pretraining to a warm-up to the system's own losses, with another start of Adam between;
// SMALR drops latent tokens on the way.
class ResumeStages : public Resume, public testing::WithParamInterface<const char*> {};

TEST_P(ResumeStages, StoppedInEachStageEqualsUnbroken) {
  std::vector<std::string> keys = {"--resume"};
  for (const char* key : {"text.vectors=random", "text.hidden=8", "text.mule_dim=8",
                          "text.own_words=5", "text.own_dim=6", "loss.adversary=0.1",
                          "loss.word_drift=0.01", "pretrain.epochs=60", "train.average=0.9"}) {
    keys.insert(keys.end(), {"--set", key});
  }
  if (std::string(GetParam()) == "smalr") {
    keys.insert(keys.end(), {"--set", "text.latents=50", "--set", "loss.masked=0.1"});
  }
  const auto words = [&](const std::string& run) {
    std::vector<std::string> all = training(run, 100, keys);
    all[1] = GetParam();
    return all;
  };
  expect_stopped_equals_whole(words, scratch_ / "whole", scratch_ / "broken",
                              {4, 11, 50},  // pretraining writes 9
                              SIGINT);
}

INSTANTIATE_TEST_SUITE_P(Systems, ResumeStages, testing::Values("mule", "smalr"), NamedByText());

TEST_F(Resume, AStudentStoppedAndResumedEqualsUnbroken) {
  const TinyParallelText lines;
  const auto training = [&](const std::string& run) {
    std::vector<std::string> words = {"train",     "teacher",       "--data", lines.folder(),
                                      "--teacher", lines.teacher(), "--out",  run,
                                      "--resume",  "--threads",     "1"};
    for (const char* key : {"text.dim=8", "text.min_count=1", "sample.images_per_batch=10",
                            "train.epochs=400", "hubs.size=0"}) {
      words.insert(words.end(), {"--set", key});
    }
    return words;
  };
  expect_stopped_equals_whole(training, scratch_ / "whole", scratch_ / "broken", {1, 40}, SIGKILL);
}

// Lines alone: no batches of pictures.
TEST_F(Resume, ALanguageThatIsAddedFromLinesStoppedAndResumedEqualsUnbroken) {
  const TinyParallelText lines;
  const std::string run = scratch_ / "run";
  ASSERT_EQ(run_hinny(training(run, 3, {"--languages", "en"})).code, 0);
  const auto addition = [&](const std::string& out) {
    return std::vector<std::string>{"train",
                                    "bag",
                                    "--from",
                                    run,
                                    "--add-language",
                                    "fr",
                                    "--parallel",
                                    lines.folder(),
                                    "--out",
                                    out,
                                    "--resume",
                                    "--threads",
                                    "1",
                                    "--set",
                                    "train.epochs=400",
                                    "--set",
                                    "parallel.lines=8",
                                    "--set",
                                    "train.log_every=2"};
  };
  expect_stopped_equals_whole(addition, scratch_ / "whole", scratch_ / "broken", {1, 40}, SIGKILL);
}

// Captions and their translations: the same loop, another task.
TEST_F(Resume, ATranslationModelStoppedAndResumedEqualsUnbroken) {
  const std::string data = scratch_ / "pairs";
  DatasetWriter writer(data);
  for (int i = 0; i < 40; ++i) {
    const std::string id = std::to_string(i), number = std::to_string(i % 7);
    writer.image({id, i < 30 ? "train" : "val", ""});
    writer.caption(id, "en", "number " + number + " of many", Source::human_original);
    writer.caption(id, "de", "Nummer " + number + " von vielen", Source::human_translation);
  }
  writer.commit();
  const auto training = [&](const std::string& run) {
    std::vector<std::string> words = {"train", "nmt",      "--data",    data, "--out",
                                      run,     "--resume", "--threads", "1"};
    for (const char* key : {"translation.embedding=8", "translation.hidden=8",
                            "translation.merges=20", "translation.batch_words=60",
                            "train.log_every=5", "train.epochs=40", "train.average=0.9"}) {
      words.insert(words.end(), {"--set", key});
    }
    return words;
  };
  expect_stopped_equals_whole(training, scratch_ / "whole", scratch_ / "broken", {3, 20}, SIGINT);
}

TEST_F(Resume, CtrlCSavesAndSaysHowToGoOn) {
  const std::string run = scratch_ / "stopped";
  RunOptions options;
  options.kill_when = logged(run, 3);
  options.kill_signal = SIGINT;
  const Outcome outcome = run_hinny(training(run, 1'000'000), options);
  EXPECT_EQ(outcome.code, 130) << outcome.err;
  EXPECT_NE(outcome.err.find("--resume"), std::string::npos) << outcome.err;
  EXPECT_TRUE(fs::exists(fs::path(run) / "checkpoint" / "last.safetensors"));
}

// BLAS has no products of bfloat16; where the training goes on there may be some.
TEST_F(Resume, GoesOnInThePrecisionItBeganWith) {
  const std::string run = scratch_ / "stopped";
  RunOptions options;
  options.kill_when = logged(run, 3);
  options.kill_signal = SIGINT;
  ::setenv("HINNY_GEMM", "blas", 1);
  const Outcome begun = run_hinny(training(run, 200, {"--resume"}), options);
  ::unsetenv("HINNY_GEMM");
  ASSERT_EQ(begun.code, 130) << begun.err;
  const Outcome ended = run_hinny(training(run, 200, {"--resume"}));
  ASSERT_EQ(ended.code, 0) << ended.err;
  EXPECT_NE(read_file(fs::path(run) / "recipe.toml").find("precision = \"fp32\""),
            std::string::npos);
}

TEST_F(Resume, RefusesToStartOverATrainingOrToResumeWithAnotherRecipe) {
  const std::string run = scratch_ / "run";
  ASSERT_EQ(run_hinny(tiny_training(data_.folder(), run)).code, 0);
  const std::string before = content_hash(fs::path(run) / "model.safetensors");
  Outcome again = run_hinny(tiny_training(data_.folder(), run));
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("--resume"), std::string::npos) << again.err;
  again =
      run_hinny(tiny_training(data_.folder(), run, {"--resume", "--set", "loss.temperature=0.5"}));
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("loss.temperature"), std::string::npos) << again.err;
  EXPECT_EQ(content_hash(fs::path(run) / "model.safetensors"), before);
  fs::remove(fs::path(run) / "recipe.toml");
  again = run_hinny(tiny_training(data_.folder(), run, {"--resume"}));
  EXPECT_EQ(again.code, 2);
  EXPECT_NE(again.err.find("recipe"), std::string::npos) << again.err;
}

}  // namespace
}  // namespace hinny
