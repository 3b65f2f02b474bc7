// A bundle in one file, as a user makes and uses it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "base/folders.h"
#include "base/read_file.h"
#include "tests/drawn_bundle.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

// An archive of the bundle, and a folder for temporary files that must stay empty.
class BundleProgram : public DrawnBundle {
 protected:
  void SetUp() override {
    DrawnBundle::SetUp();
    create_folder(temporary_);
    ::setenv("TMPDIR", temporary_.c_str(), 1);
    const Outcome done = run_hinny({"bundle", *made_ / "bundle", "--archive", "--out", archive_});
    ASSERT_EQ(done.code, 0) << done.err;
  }
  void TearDown() override {
    EXPECT_TRUE(fs::is_empty(temporary_));
    ::unsetenv("TMPDIR");
  }
  std::string error(const std::vector<std::string>& words) const {
    Outcome done = run_hinny(words);
    EXPECT_EQ(done.code, 2) << done.out;
    EXPECT_EQ(std::count(done.err.begin(), done.err.end(), '\n'), 1) << done.err;
    return done.err;
  }

  const fs::path temporary_ = scratch_ / "temporary";
  const std::string archive_ = scratch_ / "model.tar.gz";
};

TEST_F(BundleProgram, OneFileDoesWhatTheFolderDoes) {
  const std::string bundle = *made_ / "bundle";
  ASSERT_EQ(run_hinny({"index", archive_, "--pictures", root_, "--out", mine_}).code, 0);
  const Outcome again = run_hinny({"index", bundle, "--pictures", root_, "--out", mine_});
  EXPECT_THAT(again.out, HasSubstr("(60 as they were)"));  // by the folder: the same model
  RunOptions asked;
  asked.input = "three yellow cups\nein Haus\n";
  const Outcome one = run_hinny({"encode", archive_}, asked),
                two = run_hinny({"encode", bundle}, asked);
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.out, two.out);
  const Outcome said = run_hinny({"inspect", archive_, "--json"});
  EXPECT_EQ(said.out, run_hinny({"inspect", bundle, "--json"}).out);
  const json card = json::parse(said.out, nullptr, false);
  EXPECT_EQ(card["kind"], "bundle");
  EXPECT_EQ(card["license"], "CC0-1.0");
  EXPECT_EQ(card["recall"]["average"].size(), 2U);
  ASSERT_EQ(run_hinny({"export", archive_, "--out", scratch_ / "exported"}).code, 0);
  ASSERT_EQ(
      run_hinny({"index", archive_, "--data", *made_ / "drawn", "--out", scratch_ / "data"}).code,
      0);
  ASSERT_EQ(run_hinny({"bundle", archive_, "--out", scratch_ / "unpacked"}).code, 0);
  EXPECT_EQ(read_file(scratch_ / "unpacked/bundle.json"), read_file(bundle + "/bundle.json"));
  ASSERT_EQ(run_hinny({"bundle", archive_, "--out", scratch_ / "model.tar.zst"}).code, 0);
  EXPECT_EQ(run_hinny({"inspect", scratch_ / "model.tar.zst", "--json"}).out, said.out);
}

TEST_F(BundleProgram, WhatIsNoBundleIsRefused) {
  const std::string whole = read_file(archive_), cut = scratch_ / "cut.tar.gz";
  write_file(cut, whole.substr(0, whole.size() / 2));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"index", cut, "--pictures", root_, "--out", mine_},
                                             {"inspect", cut},
                                             {"export", cut, "--out", scratch_ / "e"},
                                             {"encode", cut, "--out", scratch_ / "v.npy"},
                                             {"bundle", cut, "--out", scratch_ / "b"}}) {
    EXPECT_THAT(error(words), HasSubstr("cut.tar.gz")) << words.front();
  }
  EXPECT_THAT(error({"index", *made_ / "bundle/config.json", "--pictures", root_, "--out", mine_}),
              HasSubstr("is no bundle"));
  EXPECT_THAT(error({"encode", archive_, "--lang", "xx", "--out", scratch_ / "v.npy"}),
              HasSubstr("xx"));
  EXPECT_THAT(error({"bundle", *made_ / "bundle"}), HasSubstr("--archive"));
  EXPECT_THAT(error({"bundle", *made_ / "bundle", "--archive", "--out", scratch_ / "b"}),
              HasSubstr("tar.gz"));
  EXPECT_THAT(
      error({"bundle", *made_ / "bundle", "--license", "CC BY 4.0", "--out", scratch_ / "b"}),
      HasSubstr("SPDX"));
  EXPECT_FALSE(fs::exists(mine_));
  EXPECT_FALSE(fs::exists(scratch_ / "b"));
}

TEST_F(BundleProgram, CtrlCLeavesNothing) {
  RunOptions options;
  options.kill_signal = SIGINT;
  options.kill_when = [&] { return fs::exists(mine_ + ".part"); };
  // One thread and many pictures, so that it is still at work.
  for (int copy = 0; copy < 20; ++copy) {
    for (const auto& item : fs::directory_iterator(*made_ / "drawn/images")) {
      const std::string name = std::to_string(copy) + item.path().filename().string();
      write_file(fs::path(root_) / name, read_file(item.path()) + std::to_string(copy));
    }
  }
  const Outcome stopped = run_hinny(
      {"index", archive_, "--pictures", root_, "--out", mine_, "--threads", "1"}, options);
  EXPECT_EQ(stopped.code, 130) << stopped.err;
}

}  // namespace
}  // namespace hinny
