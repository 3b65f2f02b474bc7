#include "base/temporary_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <cstdlib>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;

class TemporaryFolders : public testing::Test {
 protected:
  void SetUp() override {
    const char* before = std::getenv("TMPDIR");
    before_ = before == nullptr ? "" : before;
    ::setenv("TMPDIR", fs::path(scratch_).c_str(), 1);
  }
  void TearDown() override {
    if (before_.empty()) {
      ::unsetenv("TMPDIR");
    } else {
      ::setenv("TMPDIR", before_.c_str(), 1);
    }
  }
  static void make_old(const fs::path& folder) {
    fs::last_write_time(folder, fs::file_time_type::clock::now() - std::chrono::hours(1));
  }

  const Scratch scratch_;
  std::string before_;
};

TEST_F(TemporaryFolders, AreForOneUserAndGoWithTheObject) {
  fs::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    EXPECT_EQ(path.parent_path(), fs::path(scratch_));
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777U, 0700U);
    create_folder(path / "below");
    write_file(path / "below/file", "x");
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolders, TakeAwayWhatAKilledProcessLeftButNothingElse) {
  const TemporaryFolder in_use;
  make_old(in_use.path());
  const fs::path left = scratch_ / "hinny-temporary-killed",
                 young = scratch_ / "hinny-temporary-new", other = scratch_ / "other",
                 link = scratch_ / "hinny-temporary-link";
  for (const fs::path& folder : {left, young, other}) {
    create_folder(folder);
    write_file(folder / "file", "x");
  }
  fs::create_directory_symlink(other, link);
  for (const fs::path& folder : {left, other}) make_old(folder);
  { const TemporaryFolder next; }
  EXPECT_FALSE(fs::exists(left));
  EXPECT_TRUE(fs::exists(in_use.path()));
  EXPECT_TRUE(fs::exists(young / "file"));
  EXPECT_TRUE(fs::exists(other / "file"));
}

TEST_F(TemporaryFolders, SayWhereTheyCannotBe) {
  ::setenv("TMPDIR", (scratch_ / "none").c_str(), 1);
  EXPECT_THROW(TemporaryFolder(), Failure);
}

}  // namespace
}  // namespace hinny
