#include "base/atomic_file.h"

#include <gtest/gtest.h>

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
  fs::create_directories(folder / "index.999999.tmp" / "inner");
  AtomicFile at_work(folder / "c");
  const fs::path others = folder / "c.999999.tmp";
  fs::rename(unfinished_name(folder / "c"), others);
  write_file(folder / "a", "new");
  write_file(folder / "c", "new");
  AtomicFolder(folder / "index").commit();
  EXPECT_FALSE(fs::exists(folder / "a.999999.tmp"));
  EXPECT_FALSE(fs::exists(folder / "index.999999.tmp"));
  EXPECT_TRUE(fs::exists(folder / "b.999999.tmp"));
  EXPECT_TRUE(fs::exists(folder / "a.notes.tmp"));
  EXPECT_TRUE(fs::exists(others)) << "a file that is being written was removed";
}

TEST_F(AtomicFileTest, AFullDiskIsAFailureAndKeepsTheOldFile) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(
      {
        AtomicFile file("/dev/full/x");
        file.commit();
      },
      Failure);
}

}  // namespace
}  // namespace hinny
