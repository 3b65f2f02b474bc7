#include "base/read_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/unfinished.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

class ReadFileTest : public testing::Test {
 protected:
  const Scratch folder;
};

TEST_F(ReadFileTest, MissingAndOversizedFilesAreInputErrors) {
  EXPECT_THROW(read_file(folder / "none"), InputError);
  write_file(folder / "a", "12345");
  EXPECT_THROW(read_file(folder / "a", 4), InputError);
  EXPECT_EQ(read_file(folder / "a", 5), "12345");
}

// Nobody waits for who writes into a pipe.
TEST_F(ReadFileTest, OnlyFilesAreRead) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  fs::create_directory(folder / "inner");
  for (const char* name : {"pipe", "inner"}) {
    EXPECT_THAT([&] { read_file(folder / name); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr("not a regular file")));
  }
}

}  // namespace
}  // namespace hinny
