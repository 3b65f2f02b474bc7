#include "base/terminal_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/random.h"
#include "base/utf8.h"

namespace hinny {
namespace {

TEST(TerminalText, WhatIsSeenStays) {
  for (const char* text : {"", "a/b c.jpg", "Käse 日本語 😀.png", "\\x1b", "नमस्ते", "\u200fعربي",
                           "U+10FFFF \U0010FFFF"}) {
    EXPECT_EQ(terminal_text(text), text);
    EXPECT_EQ(terminal_lines(text), text);
  }
}

TEST(TerminalText, WhatTerminalsObeyIsWrittenOut) {
  EXPECT_EQ(terminal_text("a\x1b]0;title\ab"), "a\\x1b]0;title\\x07b");
  EXPECT_EQ(terminal_text("two\nlines\r\tof"), "two\\nlines\\r\\tof");
  EXPECT_EQ(terminal_text(std::string_view("\0\x1f ", 3)), "\\x00\\x1f ");
  EXPECT_EQ(terminal_text("\x7f"), "\\u007f");
  EXPECT_EQ(terminal_text("\u009b31m, \u0080, \u00a0"), "\\u009b31m, \\u0080, \u00a0");
  EXPECT_EQ(terminal_text("gpj.\u202egnp, \u2066\u2069"), "gpj.\\u202egnp, \\u2066\\u2069");
  EXPECT_EQ(terminal_text("\u2028\u2029\u202a"), "\\u2028\\u2029\\u202a");
  EXPECT_EQ(terminal_text("caf\xe9 \x9b ä\xc3"), "caf\\xe9 \\x9b ä\\xc3");
  EXPECT_EQ(terminal_lines("one\ntwo\x1b\n"), "one\ntwo\\x1b\n");
}

TEST(TerminalText, OfAnyBytesIsPlainTextAndStaysItself) {
  Random random(1);
  constexpr std::string_view kBytes = "a\n\r\x1b\x7f\x80\x9b\xa8\xae\xc2\xc3\xe2\xf0\xff";
  for (int i = 0; i < 20000; ++i) {
    std::string given;
    for (auto length = random.below(9); length > 0; --length) {
      given += kBytes[random.below(kBytes.size())];
    }
    const std::string text = terminal_text(given);
    EXPECT_TRUE(is_utf8(text));
    EXPECT_EQ(text.find_first_of(std::string("\n\r\x1b\x7f")), std::string::npos);
    EXPECT_EQ(text.find("\xc2\x9b"), std::string::npos);
    EXPECT_EQ(terminal_text(text), text);
  }
}

TEST(TerminalText, JsonStaysTheSameJson) {
  const nlohmann::json given = {{"name", "a\x1b\n\x7f\u009b\u202e"}, {"list", {1, 2}}};
  for (const int indent : {-1, 2}) {
    const std::string shown = terminal_lines(given.dump(indent));
    EXPECT_EQ(nlohmann::json::parse(shown), given);
    EXPECT_EQ(shown.find("\xc2\x9b"), std::string::npos);
  }
}

TEST(TerminalText, MessagesOfErrorsAreOneLine) {
  EXPECT_STREQ(InputError("/a\nb\x1b/c", "is \x9b", "no\u202e").what(),
               "/a\\nb\\x1b/c: is \\x9b (expected no\\u202e)");
  EXPECT_STREQ(InputError("a\n", 3, "b", "c").what(), "a\\n:3: b (expected c)");
  EXPECT_STREQ(InputError("caption 'a\nb'").what(), "caption 'a\\nb'");
}

TEST(TerminalText, PrintedLinesEndAsTheFormatDoes) {
  testing::internal::CaptureStdout();
  print_line(stdout, "left out: {}\n", "a\nb");
  print_line(stdout, "{}:", "c\n");
  print_line(stdout, "\n");
  print_lines(stdout, "d\x1b\ne\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "left out: a\\nb\nc\\n:\nd\\x1b\ne\n");
}

}  // namespace
}  // namespace hinny
