#include "training/schedule.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

double factor(const char* schedule, std::int64_t step, std::int64_t warmup = 0) {
  TrainSettings settings;
  settings.schedule = schedule;
  settings.decay = 0.5;
  settings.step_epochs = 2;
  settings.warmup_steps = warmup;
  return schedule_factor(settings, step, /*total=*/40, /*per_epoch=*/10);
}

TEST(Schedule, FollowsItsName) {
  EXPECT_EQ(factor("constant", 39), 1.0);
  EXPECT_EQ(factor("exponential", 9), 1.0);
  EXPECT_EQ(factor("exponential", 30), 0.125);
  EXPECT_EQ(factor("step", 19), 1.0);
  EXPECT_EQ(factor("step", 20), 0.5);
  EXPECT_NEAR(factor("cosine", 20), 0.5, 1e-9);
  EXPECT_LT(factor("cosine", 39), 0.01);
}

TEST(Schedule, WarmsUpLinearly) {
  EXPECT_EQ(factor("constant", 0, 4), 0.25);
  EXPECT_EQ(factor("constant", 3, 4), 1.0);
  EXPECT_EQ(factor("cosine", 4, 4), 1.0);
}

}  // namespace
}  // namespace hinny
