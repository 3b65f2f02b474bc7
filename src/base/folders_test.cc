#include "base/folders.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "base/temporary_folder.h"

namespace hinny {
namespace {

TEST(Folders, ListWhatIsInThemByName) {
  const TemporaryFolder folder;
  for (const char* name : {"m.npy", "b", "z.npy", "B", "10", "a.npy", "9", "k.NPY", "c.npy.txt"}) {
    std::ofstream(folder.path() / name) << name;
  }
  create_folder(folder.path() / "folder");
  std::vector<std::string> names;
  for (const auto& entry : entries_in(folder.path())) names.push_back(entry.path().filename());
  EXPECT_EQ(names, (std::vector<std::string>{"10", "9", "B", "a.npy", "b", "c.npy.txt", "folder",
                                             "k.NPY", "m.npy", "z.npy"}));
  EXPECT_EQ(names_of_files(folder.path(), ".npy"), (std::set<std::string>{"a", "m", "z"}));
}

TEST(Folders, HoldNothingWhereTheyAreNone) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_TRUE(entries_in(folder.path() / "none").empty());
  EXPECT_TRUE(entries_in(folder.path() / "file").empty());
  EXPECT_TRUE(names_of_files(folder.path() / "none", ".npy").empty());
}

TEST(Folders, AreMadeWithTheirParents) {
  const TemporaryFolder folder;
  create_folder(folder.path() / "a/b/c/");
  create_folder(folder.path() / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder.path() / "a/b/c"));
  std::ofstream(folder.path() / "file") << "x";
  EXPECT_THROW(create_folder(folder.path() / "file"), Failure);
  EXPECT_THROW(create_folder(folder.path() / "file/below"), Failure);
}

}  // namespace
}  // namespace hinny
