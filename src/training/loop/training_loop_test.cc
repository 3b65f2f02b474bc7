#include "training/loop/training_loop.h"

#include <ATen/ops/ones.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <csignal>

#include "base/error.h"
#include "base/interrupt.h"
#include "tests/scratch.h"
#include "training/loop/training_task.h"

namespace hinny {
namespace {

struct Weight : torch::nn::Module {
  Weight() { value = register_parameter("value", at::ones({2})); }
  torch::Tensor value;
};

// Learns nothing of use, two batches an epoch; somebody presses Ctrl-C in the first validation.
class ToyTask : public TrainingTask {
 public:
  torch::nn::Module& model() override { return weight_; }
  std::int64_t batches_per_epoch() const override { return 2; }
  void start_epoch(std::int64_t, std::int64_t) override {}
  BatchLoss next_loss() override { return {weight_.value.square().sum(), 1}; }
  const char* units() const override { return "captions"; }
  const char* score_name() const override { return "mR"; }
  bool validates() const override { return true; }
  Judgement validate() override {
    if (++validations == 1) std::raise(SIGINT);
    stop_if_interrupted();  // as the loops over a split's captions do
    return {static_cast<double>(validations), {}};
  }
  void store_best() override {}
  void finish(const TrainingState&) override {}

  int validations = 0;

 private:
  Weight weight_;
};

// In a process of its own, because the flag stays: what is there after the Ctrl-C.
void train_and_tell(const std::filesystem::path& run) {
  watch_for_interrupt();
  TrainSettings settings;
  settings.epochs = 3;
  ToyTask task;
  try {
    run_training(task, settings, run, {});
  } catch (const Interrupted& stopped) {
    std::fprintf(stderr, "%s; %d validations", stopped.what(), task.validations);
    std::_Exit(std::filesystem::exists(checkpoint_file(run)) ? 0 : 1);
  }
  std::_Exit(2);
}

TEST(TrainingLoop, CtrlCInAValidationLosesNothing) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const Scratch scratch;
  EXPECT_EXIT(train_and_tell(scratch), testing::ExitedWithCode(0),
              "after batch 2 of 6.*; 1 validations");
}

// Two batches of pretraining, two of warm-up and the rest, by losses of unlike size.
class Staged : public TrainingTask {
 public:
  explicit Staged(std::vector<double> sizes, bool staged = true)
      : sizes_(std::move(sizes)), staged_(staged) {}

  torch::nn::Module& model() override { return weight_; }
  std::int64_t batches_per_epoch() const override { return 2; }
  std::int64_t pretraining_epochs() const override { return staged_ ? 1 : 0; }
  std::int64_t warmup_epochs() const override { return staged_ ? 1 : 0; }
  void start_epoch(std::int64_t, std::int64_t) override {}
  void set_stage(Stage stage, const Done& done) override {
    stage_ = stage;
    done_.push_back(done.batches);
  }
  std::string loss_in(Stage stage) const override { return fmt::format("{}", size_in(stage)); }
  BatchLoss next_loss() override {
    if (static_cast<int>(seen.size()) == ends_after) throw Failure("the power is gone");
    seen.push_back(weight_.value[0].item<float>());
    return {weight_.value.square().sum() * size_in(stage_), 1};
  }
  const char* units() const override { return "captions"; }
  const char* score_name() const override { return "mR"; }
  bool validates() const override { return false; }
  Judgement validate() override { return {}; }
  void store_best() override {}
  void finish(const TrainingState&) override {}

  void start_at(float value) {
    const torch::NoGradGuard no_gradient;
    weight_.value.fill_(value);
  }
  const std::vector<std::int64_t>& done() const { return done_; }  // before each update
  std::vector<float> seen;                                         // the weight before each update
  int ends_after = -1;

 private:
  double size_in(Stage stage) const { return sizes_.at(static_cast<std::size_t>(stage)); }
  std::vector<double> sizes_;
  bool staged_;
  Stage stage_ = Stage::full;
  std::vector<std::int64_t> done_;
  Weight weight_;
};

TrainSettings constant_rate(std::int64_t epochs) {
  TrainSettings settings;
  settings.epochs = epochs;
  settings.learning_rate = 0.01;
  settings.schedule = Schedule::constant;
  return settings;
}

// Of a training from that weight on that has had no other stage.
std::vector<float> alone(float start, double size, std::size_t updates) {
  const Scratch scratch;
  Staged task({0, 0, size}, false);
  task.start_at(start);
  run_training(task, constant_rate(4), scratch, {});
  task.seen.resize(updates);
  return task.seen;
}

// Two batches are a pass of it, and two more come before what is counted.
TEST(TrainingLoop, ABudgetOfBatchesEndsWithinAPass) {
  const Scratch scratch;
  TrainSettings settings = constant_rate(9);
  settings.batches = 5;
  Staged task({100, 16, 1});
  const TrainingState state = run_training(task, settings, scratch, {});
  EXPECT_EQ(task.seen.size(), 7U);
  EXPECT_TRUE(state.finished);
  settings.more_epochs = {2};  // four batches from there on, not from the pass's end
  TrainingOptions resumed;
  resumed.resume = true;
  EXPECT_EQ(run_training(task, settings, scratch, resumed).step, 11);
  const Scratch other;
  Staged unbroken({100, 16, 1});
  EXPECT_EQ(run_training(unbroken, settings, other, {}).step, 11);
  EXPECT_EQ(task.seen, unbroken.seen);
  EXPECT_EQ(read_progress(scratch).seen, 11);
}

TEST(TrainingLoop, TheOptimiserStartsAnewWhereTheLossIsAnother) {
  const Scratch scratch;
  Staged task({100, 16, 1});
  run_training(task, constant_rate(3), scratch, {});
  ASSERT_EQ(task.seen.size(), 8U);
  const auto updates = [](const Staged& of, std::ptrdiff_t from, std::ptrdiff_t to) {
    return std::vector<float>(of.seen.begin() + from, of.seen.begin() + to);
  };
  EXPECT_EQ(updates(task, 2, 4), alone(task.seen[2], 16, 2));
  EXPECT_EQ(updates(task, 4, 8), alone(task.seen[4], 1, 4));

  // A warm-up by the recipe's own loss: nothing is forgotten after pretraining.
  const Scratch other;
  Staged even({1, 1, 1});
  run_training(even, constant_rate(3), other, {});
  EXPECT_EQ(updates(even, 2, 8), alone(even.seen[2], 1, 6));
}

TEST(TrainingLoop, BatchesAreCountedFromTheEndOfPretraining) {
  const Scratch scratch;
  Staged task({1, 1, 1});
  run_training(task, constant_rate(3), scratch, {});
  EXPECT_EQ(task.done(), (std::vector<std::int64_t>{0, 0, 0, 1, 2, 3, 4, 5}));
}

TEST(TrainingLoop, AResumedTrainingForgetsWhereAnUnbrokenOneDoes) {
  const Scratch unbroken;
  Staged whole({100, 16, 1});
  run_training(whole, constant_rate(4), unbroken, {});
  for (const int end : {1, 2, 3, 4, 5}) {
    const Scratch run;
    TrainingOptions options;
    options.checkpoint_seconds = -1;  // after each batch
    Staged task({100, 16, 1});
    task.ends_after = end;
    EXPECT_THROW(run_training(task, constant_rate(4), run, options), Failure);
    Staged rest({100, 16, 1});
    options.resume = true;
    run_training(rest, constant_rate(4), run, options);
    task.seen.insert(task.seen.end(), rest.seen.begin(), rest.seen.end());
    EXPECT_EQ(task.seen, whole.seen) << "ended after batch " << end;
    EXPECT_EQ(rest.done().front(), std::max(0, end - 2));
  }
}

}  // namespace
}  // namespace hinny
