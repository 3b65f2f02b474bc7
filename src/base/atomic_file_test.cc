#include "base/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>

#include "base/atomic_folder.h"
#include "base/error.h"
#include "base/read_file.h"
#include "base/unfinished.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

class AtomicFileTest : public testing::Test {
 protected:
  const Scratch folder;
};

TEST_F(AtomicFileTest, AFileThatIsNotCommittedLeavesTheOldOne) {
  write_file(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.write("new");
  }
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(AtomicFileTest, HeadersMayBeWrittenLast) {
  AtomicFile file(folder / "a");
  file.write("....tail");
  file.write_at(0, "head");
  file.commit();
  EXPECT_EQ(read_file(folder / "a"), "headtail");
}

TEST_F(AtomicFileTest, WhatAKilledProcessLeftIsRemovedAndWhatIsAtWorkStays) {
  write_file(folder / "a.999999.tmp", "left");
  write_file(folder / "b.999999.tmp", "left of another file");
  write_file(folder / "a.notes.tmp", "somebody's own");
  write_file(folder / "a.12x.tmp", "likewise");
  for (int i = 1; i <= 8; ++i) {  // somebody's own, too
    fs::create_symlink("notes", folder / ("a." + std::to_string(i) + ".tmp"));
  }
  fs::create_directories(folder / "index.999999.tmp" / "inner");
  AtomicFile at_work(folder / "c");
  const fs::path others = folder / "c.999999.tmp";
  fs::rename(unfinished_name(folder / "c"), others);
  write_file(folder / "a", "new");
  write_file(folder / "c", "new");
  AtomicFolder(folder / "index").commit();
  EXPECT_FALSE(fs::exists(folder / "a.999999.tmp"));
  EXPECT_FALSE(fs::exists(folder / "index.999999.tmp"));
  EXPECT_TRUE(fs::is_symlink(folder / "a.1.tmp"));
  EXPECT_TRUE(fs::exists(folder / "b.999999.tmp"));
  EXPECT_TRUE(fs::exists(folder / "a.notes.tmp"));
  EXPECT_TRUE(fs::exists(folder / "a.12x.tmp"));
  EXPECT_TRUE(fs::exists(others)) << "a file that is being written was removed";
}

// Another process removes it between the moments when it is made and held.
TEST_F(AtomicFileTest, WhatIsGoneIsNotHeld) {
  write_file(folder / "a", "");
  const int descriptor = ::open((folder / "a").c_str(), O_RDONLY);
  ASSERT_GE(descriptor, 0);
  EXPECT_TRUE(hold_unfinished(descriptor));
  fs::remove(folder / "a");
  EXPECT_FALSE(hold_unfinished(descriptor));
  ::close(descriptor);
}

// While one lives, no file of this process grows beyond so many bytes.
class LargestFile {
 public:
  explicit LargestFile(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~LargestFile() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  LargestFile(const LargestFile&) = delete;
  LargestFile& operator=(const LargestFile&) = delete;

 private:
  void (*handler_)(int);
  rlimit before_{};
};

TEST_F(AtomicFileTest, WhatCannotBeWrittenIsAFailureAndKeepsTheOldFile) {
  write_file(folder / "a", "old");
  {
    const LargestFile limit(4096);
    AtomicFile buffered(folder / "a");
    buffered.write(std::string(8192, 'x'));
    EXPECT_THROW(buffered.commit(), Failure);
    AtomicFile at_once(folder / "a");
    EXPECT_THROW(at_once.write(std::string(std::size_t{2} << 20U, 'x')), Failure);
    AtomicFile inside(folder / "a");
    EXPECT_THROW(inside.write_at(4096, "x"), Failure);
  }
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(AtomicFileTest, AFolderInItsPlaceStays) {
  fs::create_directories(folder / "a/inner");
  AtomicFile file(folder / "a");
  EXPECT_THROW(file.commit(), Failure);
  EXPECT_TRUE(fs::exists(folder / "a/inner"));
  EXPECT_THROW(AtomicFile(folder / "none/a"), Failure);
}

TEST_F(AtomicFileTest, ACopyIsWhole) {
  write_file(folder / "a", "bytes");
  copy_whole_file(folder / "a", folder / "b");
  EXPECT_EQ(read_file(folder / "b"), "bytes");
  EXPECT_THROW(copy_whole_file(folder / "none", folder / "b"), InputError);
  EXPECT_EQ(read_file(folder / "b"), "bytes");
}

}  // namespace
}  // namespace hinny
