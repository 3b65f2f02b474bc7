#include "index/tree/tree_watch.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <functional>
#include <thread>

#include "base/atomic_file.h"
#include "base/folders.h"
#include "base/read_file.h"
#include "index/tree/picture_tree.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using std::chrono::milliseconds;
using testing::HasSubstr;

class TreeWatchTest : public testing::Test {
 protected:
  void walk(TreeWatch& watch) const {
    watch.start_walk();
    find_pictures(root_, [&](const fs::path& folder) { watch.add(folder); });
    watch.end_walk();
  }
  // Whether wait() ends because of what `change` does, and not for being blind or late.
  bool notices(TreeWatch& watch, const std::function<void()>& change) const {
    walk(watch);
    change();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_TRUE(watch.wait(true));
    return std::chrono::steady_clock::now() - start < options_.blind;
  }

  const Scratch root_, elsewhere_;
  TreeWatch::Options options_{milliseconds(40), milliseconds(10'000), milliseconds(1'500)};
};

TEST_F(TreeWatchTest, NoticesWhatHappensToPicturesAndFolders) {
  create_folder(root_ / "a/b");
  create_folder(elsewhere_ / "full/of");
  write_file(elsewhere_ / "x.jpg", "x");
  TreeWatch watch(options_);
  const std::vector<std::pair<const char*, std::function<void()>>> changes = {
      {"written", [&] { write_file(root_ / "a/b/one.jpg", "1"); }},
      {"written in place", [&] { std::ofstream(root_ / "a/b/one.jpg") << "12"; }},
      {"touched", [&] { ::utimensat(AT_FDCWD, (root_ / "a/b/one.jpg").c_str(), nullptr, 0); }},
      {"moved", [&] { fs::rename(root_ / "a/b/one.jpg", root_ / "two.jpg"); }},
      {"moved in", [&] { fs::rename(elsewhere_ / "x.jpg", root_ / "a/x.jpg"); }},
      {"linked", [&] { fs::create_hard_link(root_ / "a/x.jpg", root_ / "a/y.jpg"); }},
      {"symlinked", [&] { fs::create_symlink(root_ / "a/x.jpg", root_ / "a/z.jpg"); }},
      {"link to a folder", [&] { fs::create_directory_symlink(elsewhere_, root_ / "more"); }},
      {"written there", [&] { write_file(elsewhere_ / "full/of/new.png", "x"); }},
      {"that link goes", [&] { fs::remove(root_ / "more"); }},
      {"removed", [&] { fs::remove(root_ / "two.jpg"); }},
      {"new folder", [&] { create_folder(root_ / "new/deep"); }},
      {"written in it", [&] { write_file(root_ / "new/deep/n.webp", "x"); }},
      {"folder moved", [&] { fs::rename(root_ / "new", root_ / "a/new"); }},
      {"written in that", [&] { write_file(root_ / "a/new/deep/m.webp", "x"); }},
      {"folder removed", [&] { fs::remove_all(root_ / "a/new"); }},
      {"folder closed", [&] { fs::permissions(root_ / "a/b", fs::perms::none); }},
      {"opened", [&] { fs::permissions(root_ / "a/b", fs::perms::owner_all); }},
  };
  for (const auto& [what, change] : changes) EXPECT_TRUE(notices(watch, change)) << what;
  EXPECT_EQ(watch.problem(), "");
}

TEST_F(TreeWatchTest, LetsTheRestPass) {
  create_folder(root_ / "a");
  write_file(root_ / "a/one.jpg", "x");
  create_folder(elsewhere_ / "b");
  TreeWatch watch(options_);
  const std::vector<std::pair<const char*, std::function<void()>>> changes = {
      {"nothing", [] {}},
      {"read", [&] { read_file(root_ / "a/one.jpg"); }},
      {"other files", [&] { std::ofstream(root_ / "notes.txt") << "x"; }},
      {"hidden", [&] { write_file(root_ / ".one.jpg", "x"); }},
      {"elsewhere", [&] { write_file(elsewhere_ / "b/one.jpg", "x"); }},
  };
  for (const auto& [what, change] : changes) EXPECT_FALSE(notices(watch, change)) << what;
  // A folder that moved away is elsewhere.
  EXPECT_TRUE(notices(watch, [&] { fs::rename(root_ / "a", elsewhere_ / "a"); }));
  EXPECT_FALSE(notices(watch, [&] { write_file(elsewhere_ / "a/two.jpg", "x"); }));
}

TEST_F(TreeWatchTest, WaitsUntilAFileIsWhole) {
  options_.quiet = milliseconds(300);
  TreeWatch watch(options_);
  walk(watch);
  std::atomic<bool> closed = false;
  const std::jthread writer([&] {
    std::ofstream file(root_ / "slow.jpg");
    for (int i = 0; i < 10; ++i) {
      file << "part" << std::flush;
      std::this_thread::sleep_for(milliseconds(60));
    }
    closed = true;
  });
  EXPECT_TRUE(watch.wait());
  EXPECT_TRUE(closed);
}

TEST_F(TreeWatchTest, IsNotPutOffForever) {
  options_.quiet = milliseconds(500);
  options_.patience = milliseconds(700);
  TreeWatch watch(options_);
  walk(watch);
  const std::jthread writer([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      write_file(root_ / "busy.jpg", "x");
      std::this_thread::sleep_for(milliseconds(20));
    }
  });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(watch.wait());
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

// Where the system follows no more folders, every change is seen a little later.
TEST_F(TreeWatchTest, LooksNowAndThenWhereItCannotFollow) {
  for (const char* folder : {"a", "b", "c"}) create_folder(root_ / folder);
  options_.most_folders = 2;
  options_.blind = milliseconds(100);
  TreeWatch watch(options_);
  walk(watch);
  EXPECT_THAT(watch.problem(), HasSubstr("max_user_watches"));
  EXPECT_TRUE(watch.wait());
  fs::remove(root_ / "b");
  fs::remove(root_ / "c");
  walk(watch);
  EXPECT_EQ(watch.problem(), "");
}

}  // namespace
}  // namespace hinny
