// What a program that asks once loads and reads before it answers.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "base/atomic_file.h"
#include "tests/program.h"

namespace hinny {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

constexpr std::size_t kMostLibraries = 25;
const fs::path kOldIndex = fs::path(__FILE__).parent_path() / "old_models/index";

// A line for each library that the program is started with, as ldd says them.
std::vector<std::string> libraries_of(const std::string& program) {
  ::setenv("LD_TRACE_LOADED_OBJECTS", "1", 1);
  const Outcome outcome = run_program(program.c_str(), {});
  ::unsetenv("LD_TRACE_LOADED_OBJECTS");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  std::vector<std::string> lines;
  std::istringstream text(outcome.out);
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

TEST(Starting, LoadsFewLibraries) {
  const std::vector<std::string> libraries = libraries_of(HINNY_PROGRAM);
  const std::string all = fmt::format("{}", fmt::join(libraries, "\n"));
  EXPECT_THAT(all, HasSubstr("libc.so"));
  EXPECT_LE(libraries.size(), kMostLibraries) << all;
  for (const char* other :
       {"cairo", "libX11", "archive", "fasttext", "openblas", "opencv", "torch"}) {
    EXPECT_THAT(all, Not(HasSubstr(other)));
  }
}

// What only other questions need is not opened: broken, it is in nobody's way.
TEST(Starting, ReadsNoSentencesNorTranslators) {
  const Scratch scratch;
  const std::string index = scratch / "index";
  fs::copy(kOldIndex, index, fs::copy_options::recursive);
  const std::vector<std::string> search = {"search", index, "a red ball", "--lang", "en"};
  const Outcome whole = run_hinny(search);
  ASSERT_EQ(whole.code, 0) << whole.err;
  ASSERT_FALSE(whole.out.empty());
  std::size_t broken = 0;
  for (const auto& entry : fs::recursive_directory_iterator(index)) {
    const std::string path = entry.path();
    const bool other = path.find("/translators/") != std::string::npos ||
                       entry.path().filename().string().starts_with("sentences.");
    if (!other || !entry.is_regular_file()) continue;
    write_file(path, "broken");
    ++broken;
  }
  EXPECT_GE(broken, 5U);
  const Outcome outcome = run_hinny(search);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, whole.out);
}

}  // namespace
}  // namespace hinny
