#include "training/loop/training_loop.h"

#include <ATen/ops/ones.h>
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

}  // namespace
}  // namespace hinny
