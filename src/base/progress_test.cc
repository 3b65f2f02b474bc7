#include "base/progress.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(ProgressTest, WhatIsQuickIsNotSpokenOf) {
  testing::internal::CaptureStderr();
  {
    Progress progress("pictures", 10);
    for (int i = 0; i < 10; ++i) progress.add(1);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(ProgressTest, DurationsAreSecondsAndClocks) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1:00");
  EXPECT_EQ(duration_text(3599), "59:59");
  EXPECT_EQ(duration_text(3661), "1:01:01");
  EXPECT_EQ(duration_text(36000), "10:00:00");
}

}  // namespace
}  // namespace hinny
