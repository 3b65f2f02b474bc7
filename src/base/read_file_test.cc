#include "base/read_file.h"

#include <gtest/gtest.h>

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
}

}  // namespace
}  // namespace hinny
