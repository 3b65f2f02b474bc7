#include "base/files.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/unfinished.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

class FilesTest : public testing::Test {
 protected:
  const Scratch folder;
};

TEST_F(FilesTest, AFileThatIsNotCommittedLeavesTheOldOne) {
  write_file(folder / "a", "old");
  {
    AtomicFile file(folder / "a");
    file.write("new");
  }
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

TEST_F(FilesTest, HeadersMayBeWrittenLast) {
  AtomicFile file(folder / "a");
  file.write("....tail");
  file.write_at(0, "head");
  file.commit();
  EXPECT_EQ(read_file(folder / "a"), "headtail");
}

TEST_F(FilesTest, AFolderIsReplacedAsAWhole) {
  for (const char* name : {"one", "two"}) {
    AtomicFolder next(folder / "index/");
    write_file(next.path() / name, name);
    next.commit();
  }
  EXPECT_FALSE(fs::exists(folder / "index" / "one"));
  EXPECT_EQ(read_file(folder / "index" / "two"), "two");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder), fs::directory_iterator()), 1);
}

// A process that was killed leaves what it had not finished; one at work holds it.
TEST_F(FilesTest, WhatAKilledProcessLeftIsRemovedAndWhatIsAtWorkStays) {
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

TEST_F(FilesTest, AFolderThatIsBeingFilledStays) {
  AtomicFolder at_work(folder / "index");
  const fs::path others = folder / "index.999999.tmp";
  fs::rename(at_work.path(), others);
  AtomicFolder(folder / "index").commit();
  EXPECT_TRUE(fs::exists(others));
}

TEST_F(FilesTest, AFullDiskIsAFailureAndKeepsTheOldFile) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  EXPECT_THROW(
      {
        AtomicFile file("/dev/full/x");
        file.commit();
      },
      Failure);
}

TEST_F(FilesTest, LinesAreNumberedAndBrokenUtf8IsNamed) {
  write_file(folder / "a", "eins\r\nzwei\n\xC3(\n");
  std::vector<std::string> lines;
  try {
    for_each_line(folder / "a",
                  [&](std::string_view text, std::size_t) { lines.emplace_back(text); });
    FAIL() << "broken UTF-8 went unnoticed";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("a:3: broken UTF-8"), std::string::npos);
  }
  EXPECT_EQ(lines, (std::vector<std::string>{"eins", "zwei"}));
}

TEST_F(FilesTest, MissingAndOversizedFilesAreInputErrors) {
  EXPECT_THROW(read_file(folder / "none"), InputError);
  write_file(folder / "a", "12345");
  EXPECT_THROW(read_file(folder / "a", 4), InputError);
}

TEST(Utf8, RefusesOverlongSurrogateAndTruncatedForms) {
  EXPECT_TRUE(is_utf8("a\u00e9\u4e2d\U0001F600"));
  for (const char* bad : {"\xC0\xAF", "\xED\xA0\x80", "\xE4\xB8", "\xF5\x80\x80\x80", "\x80"}) {
    EXPECT_FALSE(is_utf8(bad)) << bad;
  }
}

}  // namespace
}  // namespace hinny
