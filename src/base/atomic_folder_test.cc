#include "base/atomic_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/folders.h"
#include "base/read_file.h"
#include "base/unfinished.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

class AtomicFolderTest : public testing::Test {
 protected:
  const Scratch folder;
};

TEST_F(AtomicFolderTest, AFolderIsReplacedAsAWhole) {
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

TEST_F(AtomicFolderTest, AFolderThatIsBeingFilledStays) {
  AtomicFolder at_work(folder / "index");
  const fs::path others = folder / "index.999999.tmp";
  fs::rename(at_work.path(), others);
  AtomicFolder(folder / "index").commit();
  EXPECT_TRUE(fs::exists(others));
}

TEST_F(AtomicFolderTest, WhatCannotTakeItsPlaceIsAFailureAndKeepsTheOldOne) {
  create_folder(folder / "index");
  write_file(folder / "index/old", "old");
  AtomicFolder next(folder / "index");
  fs::remove_all(next.path());
  EXPECT_THROW(next.commit(), Failure);
  EXPECT_EQ(read_file(folder / "index/old"), "old");
  EXPECT_THAT([&] { AtomicFolder(folder / "index/old/next"); },
              testing::ThrowsMessage<Failure>(testing::HasSubstr("cannot create folder")));
}

TEST_F(AtomicFolderTest, OnlyItsOwnKindOrNothingIsReplaced) {
  EXPECT_NO_THROW(check_replaceable(folder / "none", "index.json", "index"));
  create_folder(folder / "empty");
  EXPECT_NO_THROW(check_replaceable(folder / "empty", "index.json", "index"));
  create_folder(folder / "mine");
  write_file(folder / "mine/letter", "");
  EXPECT_THROW(check_replaceable(folder / "mine", "index.json", "index"), InputError);
  EXPECT_THROW(check_replaceable(folder / "mine/letter", "index.json", "index"), InputError);
  write_file(folder / "mine/index.json", "");
  EXPECT_NO_THROW(check_replaceable(folder / "mine", "index.json", "index"));
}

TEST_F(AtomicFolderTest, FoldersAreMadeAndListed) {
  create_folder(folder / "a/b/");
  create_folder(folder / "a/b");
  write_file(folder / "a/2.npy", "");
  write_file(folder / "a/1.npy", "");
  write_file(folder / "a/1.txt", "");
  EXPECT_EQ(entries_in(folder / "a").size(), 4U);
  EXPECT_EQ(names_of_files(folder / "a", ".npy"), (std::set<std::string>{"1", "2"}));
  EXPECT_TRUE(entries_in(folder / "none").empty());
  EXPECT_TRUE(entries_in(folder / "a/1.txt").empty());
  EXPECT_THROW(create_folder(folder / "a/1.txt"), Failure);
  EXPECT_THROW(create_folder(folder / "a/1.txt/b"), Failure);
  EXPECT_THROW(entries_in(folder / std::string(5000, 'x')), Failure);
}

}  // namespace
}  // namespace hinny
