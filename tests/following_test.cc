// hinny index --pictures --watch beside a folder that changes, as a service runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/atomic_file.h"
#include "base/folders.h"
#include "index/tree/picture_records.h"
#include "tests/program.h"
#include "vision/raw_files_fixture.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class Following : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    made_ = new Scratch;
    const std::string pictures = *made_ / "drawn", run = *made_ / "run";
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {"draw", "--out", pictures, "--images", "20"},
             {"features", pictures},
             {"train",       "bag",         "--data", pictures,         "--features",
              "builtin-1",   "--languages", "en",     "--out",          run,
              "--threads",   "1",           "--set",  "train.epochs=1", "--set",
              "text.dim=16", "--set",       "dim=16", "--set",          "image.hidden=16"},
             {"bundle", run, "--out", *made_ / "bundle"}}) {
      const Outcome done = run_hinny(words);
      ASSERT_EQ(done.code, 0) << done.err;
    }
  }
  static void TearDownTestSuite() { delete made_; }

  void start(int kill_signal = SIGTERM) {
    RunOptions options;
    options.kill_when = [this] { return stop_.load(); };
    options.kill_signal = kill_signal;
    running_ = std::async(std::launch::async, [this, options] {
      return run_hinny(
          {"index", *made_ / "bundle", "--pictures", root_, "--out", mine_, "--watch", "--json"},
          options);
    });
  }
  Outcome stop() {
    stop_ = true;
    return running_.get();
  }
  void TearDown() override {
    stop_ = true;
    if (running_.valid()) running_.wait();
  }

  fs::path drawn(int number) const {
    return *made_ / "drawn/images" / ("drawn-00000" + std::to_string(number) + ".png");
  }
  // The files of the index that are images; none while there is no index.
  std::vector<std::string> indexed() const {
    std::vector<std::string> files;
    const auto records = read_picture_records(mine_);
    if (!records) return files;
    for (const PictureRecord& record : records->files) {
      if (record.broken.empty()) files.push_back(record.file);
    }
    return files;
  }
  void expect_soon(const std::vector<std::string>& files) const {
    for (int i = 0; i < 600 && indexed() != files; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    EXPECT_EQ(indexed(), files);
  }

  static Scratch* made_;
  const Scratch scratch_;
  const fs::path root_ = scratch_ / "pictures", mine_ = scratch_ / "mine";
  std::atomic<bool> stop_ = false;
  std::future<Outcome> running_;
};
Scratch* Following::made_ = nullptr;

TEST_F(Following, TheIndexIsWhatTheFolderIs) {
  create_folder(root_ / "sub");
  fs::copy_file(drawn(0), root_ / "a.png");
  start();
  expect_soon({"a.png"});
  fs::copy_file(drawn(1), root_ / "sub/b.png");
  expect_soon({"a.png", "sub/b.png"});
  create_folder(root_ / "new/deep");
  fs::copy_file(drawn(2), root_ / "new/deep/c.png");
  write_file(root_ / "broken.jpg", "no picture");
  expect_soon({"a.png", "new/deep/c.png", "sub/b.png"});
  fs::rename(root_ / "new", root_ / "sub/old");
  fs::remove(root_ / "a.png");
  expect_soon({"sub/b.png", "sub/old/deep/c.png"});
  // What is asked meanwhile is answered by it.
  const Outcome found = run_hinny({"search", mine_, "a cup", "--json"});
  EXPECT_EQ(json::parse(found.out)["results"].size(), 2U) << found.err;

  // So is what may not be seen any more.
  write_file(root_ / ".hinnyignore", "old/\n");
  expect_soon({"sub/b.png"});
  fs::remove(root_ / ".hinnyignore");
  expect_soon({"sub/b.png", "sub/old/deep/c.png"});

  const Outcome done = stop();
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("3 pictures ("));
  EXPECT_THAT(done.err, HasSubstr("2 pictures ("));
  EXPECT_THAT(done.err, HasSubstr("stopped"));
  const std::string named = "left out: ";
  EXPECT_EQ(done.err.find(named), done.err.rfind(named)) << "broken.jpg is named once\n"
                                                         << done.err;
  EXPECT_FALSE(fs::exists(mine_.string() + ".part"));
  // A line of JSON for each change.
  std::size_t lines = 0;
  for (std::size_t at = 0; at < done.out.size(); at = done.out.find('\n', at) + 1) {
    EXPECT_TRUE(json::parse(done.out.substr(at, done.out.find('\n', at) - at)).contains("images"));
    ++lines;
  }
  EXPECT_GE(lines, 4U);
}

// A raw picture, and the camera's JPEG of it, which comes and goes.
TEST_F(Following, ARawPictureAndItsJpegAreOne) {
  create_folder(root_);
  fs::copy_file(drawn(0), root_ / "a.png");
  write_file(root_ / "IMG_1.DNG", dng_file());
  start();
  expect_soon({"IMG_1.DNG", "a.png"});
  write_file(root_ / "IMG_1.JPG", small_jpeg_file());
  expect_soon({"IMG_1.JPG", "a.png"});
  EXPECT_EQ(read_picture_records(mine_)->files.front().raw, std::vector<std::string>{"IMG_1.DNG"});
  fs::remove(root_ / "IMG_1.JPG");
  expect_soon({"IMG_1.DNG", "a.png"});
  fs::remove(root_ / "IMG_1.DNG");
  expect_soon({"a.png"});
  EXPECT_EQ(stop().code, 0);
}

// A camera's card that is not in: the index stays, and goes on with it.
TEST_F(Following, WaitsForAFolderThatIsEmpty) {
  create_folder(root_);
  start(SIGINT);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_FALSE(fs::exists(mine_));
  fs::copy_file(drawn(0), root_ / "a.png");
  expect_soon({"a.png"});
  fs::remove(root_ / "a.png");
  std::this_thread::sleep_for(std::chrono::seconds(4));
  expect_soon({"a.png"});
  fs::copy_file(drawn(1), root_ / "b.png");
  expect_soon({"b.png"});
  const Outcome done = stop();
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.err, HasSubstr("no picture below it"));
}

// The index may lie in the folder that it is of.
TEST_F(Following, ItsOwnFilesAreNoChange) {
  create_folder(root_);
  fs::copy_file(drawn(0), root_ / "a.png");
  RunOptions options;
  options.kill_when = [this] { return stop_.load(); };
  options.kill_signal = SIGTERM;
  const fs::path inside = root_ / "mine";
  running_ = std::async(std::launch::async, [&] {
    return run_hinny({"index", *made_ / "bundle", "--pictures", root_, "--out", inside, "--watch"},
                     options);
  });
  for (int i = 0; i < 600 && !fs::exists(inside / kPictureRecordsFile); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const auto written = fs::last_write_time(inside);
  std::this_thread::sleep_for(std::chrono::seconds(6));
  EXPECT_EQ(fs::last_write_time(inside), written);
  EXPECT_EQ(stop().code, 0);
}

TEST_F(Following, MistakesEndIt) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"index", *made_ / "bundle", "--pictures", scratch_ / "none", "--out", mine_, "--watch"},
           {"index", *made_ / "run", "--data", *made_ / "drawn", "--out", mine_, "--watch"}}) {
    EXPECT_EQ(run_hinny(words).code, 2) << words[3];
  }
}

}  // namespace
}  // namespace hinny
