#include "base/atomic_folder.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
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

}  // namespace
}  // namespace hinny
