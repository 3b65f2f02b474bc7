#include "base/text_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <vector>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/lines.h"
#include "base/read_file.h"
#include "tests/scratch.h"

namespace hinny {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;

struct TextFileTest : testing::Test {
  const Scratch folder;

  std::vector<std::string> lines(const std::string& content, Encoding encoding = Encoding::utf8) {
    write_file(folder / "a.txt", content);
    return lines_of(folder / "a.txt", encoding);
  }
  static std::vector<std::string> lines_of(const std::filesystem::path& path,
                                           Encoding encoding = Encoding::utf8) {
    std::vector<std::string> found;
    for_each_line(
        path, [&](std::string_view text, std::size_t) { found.emplace_back(text); }, encoding);
    return found;
  }
  template <typename Read>
  static std::string error_of(const Read& read) {
    try {
      read();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(TextFileTest, AMarkAtTheStartIsNoText) {
  EXPECT_THAT(lines("\uFEFFa\r\nb"), ElementsAre("a", "b"));
  EXPECT_THAT(lines("\uFEFFa b 1\n", Encoding::any), ElementsAre("a b 1"));
  EXPECT_THAT(lines("\uFEFF"), ElementsAre());
  EXPECT_THAT(lines("\uFEFF\na\n"), ElementsAre("", "a"));
  EXPECT_THAT(lines("a\n\uFEFFb\n"), ElementsAre("a", "\uFEFFb"));  // elsewhere it is a letter
  write_file(folder / "b.toml", "\uFEFFx = 1\n");
  EXPECT_EQ(read_text(folder / "b.toml"), "x = 1\n");
  EXPECT_EQ(read_file(folder / "b.toml").size(), 9U);
}

TEST_F(TextFileTest, AMarkInsideOfGzipCounts) {
  const auto path = folder / "a.gz";
  gzFile file = gzopen(path.c_str(), "wb");
  gzputs(file, "\uFEFFa\nb\n");
  gzclose(file);
  EXPECT_THAT(lines_of(path), ElementsAre("a", "b"));
}

TEST_F(TextFileTest, StandardInputMayHaveAMarkInPieces) {
  int ends[2] = {};
  ASSERT_EQ(::pipe(ends), 0);
  const int before = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  std::vector<std::string> found;
  const std::string text = "\uFEFFein Hund\nzwei\n";
  ASSERT_EQ(::write(ends[1], text.data(), 1), 1);
  ASSERT_GT(::write(ends[1], text.data() + 1, text.size() - 1), 0);
  ::close(ends[1]);
  for_each_input_line([&](std::string_view line, std::size_t) { found.emplace_back(line); });
  ::dup2(before, STDIN_FILENO);
  ::close(before);
  ::close(ends[0]);
  EXPECT_THAT(found, ElementsAre("ein Hund", "zwei"));
}

TEST_F(TextFileTest, Utf16AndUtf32AreNamed) {
  for (const std::string& text :
       {"\xFF\xFE"s + "a\0b\0\n\0"s, "\xFE\xFF"s + "\0a\0b\0\n"s, "{\0\"\0\n\0"s, "\0{\0\"\0\n"s}) {
    EXPECT_THAT(error_of([&] { lines(text); }), HasSubstr("a.txt: is UTF-16"));
    EXPECT_THAT(error_of([&] { lines(text, Encoding::any); }), HasSubstr("iconv -f UTF-16"));
    EXPECT_THAT(error_of([&] { read_text(folder / "a.txt"); }), HasSubstr("is UTF-16"));
  }
  EXPECT_THAT(error_of([&] { lines("\xFF\xFE\0\0a\0\0\0"s); }), HasSubstr("UTF-32"));
  EXPECT_THAT(lines("a\0b c\n"s), ElementsAre("a\0b c"s));
}

TEST_F(TextFileTest, LinesThatEndInReturnsAloneAreNoOneLine) {
  EXPECT_THAT(error_of([&] { lines("a\rb\rc\r"); }), HasSubstr("a.txt: lines that end in CR"));
  EXPECT_THAT(error_of([&] { lines(std::string(std::size_t{17} << 20U, '\r')); }),
              HasSubstr("lines that end in CR"));
  EXPECT_THAT(lines("a\r"), ElementsAre("a"));
  EXPECT_THAT(lines("a\rb\nc"), ElementsAre("a\rb", "c"));  // a return inside of a line
}

}  // namespace
}  // namespace hinny
