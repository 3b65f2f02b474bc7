// For tests of whole programs: a bundle that was trained on drawn pictures, and a folder of them.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/program.h"

namespace hinny {

class DrawnBundle : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = new Scratch;
    const std::string pictures = *made_ / "drawn", run = *made_ / "run";
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"draw", "--out", pictures, "--images", "60", "--seed", "3"},
             {"features", pictures},
             {"train",       "hinny",           "--data", pictures,      "--features", "builtin-1",
              "--languages", "en,de",           "--out",  run,           "--threads",  "1",
              "--set",       "train.epochs=3",  "--set",  "text.dim=32", "--set",      "dim=32",
              "--set",       "image.hidden=64", "--set",  "hubs.size=20"},
             {"bundle", run, "--out", *made_ / "bundle", "--license", "CC0-1.0"}}) {
      const Outcome done = run_hinny(words);
      ASSERT_EQ(done.code, 0) << done.err;
    }
  }
  static void TearDownTestSuite() { delete made_; }

  void SetUp() override {
    std::filesystem::copy(*made_ / "drawn/images", root_, std::filesystem::copy_options::recursive);
  }

  inline static Scratch* made_ = nullptr;  // drawn/, run/ and bundle/
  const Scratch scratch_;
  const std::string root_ = scratch_ / "my pictures", mine_ = scratch_ / "mine";
};

}  // namespace hinny
