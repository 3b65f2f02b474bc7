#include "base/lines.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/unfinished.h"
#include "tests/scratch.h"

namespace hinny {
namespace fs = std::filesystem;
namespace {

class LinesTest : public testing::Test {
 protected:
  const Scratch folder;
};

TEST_F(LinesTest, LinesAreNumberedAndBrokenUtf8IsNamed) {
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

TEST_F(LinesTest, ReadOneByOneTheyAreTheSame) {
  std::string text;
  for (int i = 0; i < 50000; ++i) text += i % 7 == 0 ? "\r\n" : std::to_string(i) + "\n";
  write_file(folder / "a", text + "last");
  std::vector<std::string> lines, read;
  for_each_line(folder / "a",
                [&](std::string_view line, std::size_t) { lines.emplace_back(line); });
  LineReader reader(folder / "a");
  while (const auto line = reader.next()) read.emplace_back(*line);
  EXPECT_EQ(read, lines);
  EXPECT_EQ(read.back(), "last");
  EXPECT_FALSE(reader.next());
}

}  // namespace
}  // namespace hinny
