#include "training/loop/schedule.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

double factor(Schedule schedule, std::int64_t step, std::int64_t warmup = 0) {
  TrainSettings settings;
  settings.schedule = schedule;
  settings.decay = 0.5;
  settings.step_epochs = 2;
  settings.warmup_steps = warmup;
  return schedule_factor(settings, step, /*total=*/40, /*per_epoch=*/10);
}

TEST(ScheduleFactor, FollowsItsName) {
  EXPECT_EQ(factor(Schedule::constant, 39), 1.0);
  EXPECT_EQ(factor(Schedule::exponential, 9), 1.0);
  EXPECT_EQ(factor(Schedule::exponential, 30), 0.125);
  EXPECT_EQ(factor(Schedule::step, 19), 1.0);
  EXPECT_EQ(factor(Schedule::step, 20), 0.5);
  EXPECT_NEAR(factor(Schedule::cosine, 20), 0.5, 1e-9);
  EXPECT_LT(factor(Schedule::cosine, 39), 0.01);
}

TEST(ScheduleFactor, WarmsUpLinearly) {
  EXPECT_EQ(factor(Schedule::constant, 0, 4), 0.25);
  EXPECT_EQ(factor(Schedule::constant, 3, 4), 1.0);
  EXPECT_EQ(factor(Schedule::cosine, 4, 4), 1.0);
}

}  // namespace
}  // namespace hinny
