#include "base/problem_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>

namespace hinny {
namespace {

TEST(ProblemText, NamesTheFileAndWhatIsWrongWithIt) {
  using std::filesystem::filesystem_error;
  const auto denied = std::make_error_code(std::errc::permission_denied);
  EXPECT_EQ(problem_text(filesystem_error("status", "/a/b", denied)), "/a/b: Permission denied");
  EXPECT_EQ(problem_text(filesystem_error("rename", "/a", "/b", denied)),
            "/a -> /b: Permission denied");
  EXPECT_EQ(problem_text(filesystem_error("current_path", denied)), "Permission denied");
  EXPECT_EQ(problem_text(std::runtime_error("the disk is full")), "the disk is full");
}

}  // namespace
}  // namespace hinny
