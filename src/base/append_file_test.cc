#include "base/append_file.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

TEST(AppendFile, WritesBehindWhatIsThere) {
  const Scratch folder;
  write_file(folder / "log", "one\n");
  AppendFile file(folder / "log");
  file.add("two\n");
  EXPECT_EQ(read_file(folder / "log"), "one\ntwo\n");
  AppendFile(folder / "new").add("three\n");
  EXPECT_EQ(read_file(folder / "new"), "three\n");
}

TEST(AppendFile, ADiskThatDoesNotTakeItIsAFailure) {
  const Scratch folder;
  EXPECT_THROW(AppendFile(folder / "none" / "log"), Failure);
  AppendFile full("/dev/full");
  EXPECT_THROW(full.add("lost"), Failure);
}

}  // namespace
}  // namespace hinny
