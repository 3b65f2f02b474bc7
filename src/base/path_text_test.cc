#include "base/path_text.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/utf8.h"

namespace hinny {
namespace {

TEST(PathText, OrdinaryNamesStay) {
  for (const char* name :
       {"", "a/b.jpg", "Käse 日本語 😀.png", "\xEE\x80\x80 another private one"}) {
    EXPECT_EQ(path_text(name), name);
    EXPECT_EQ(path_from_text(name), name);
  }
}

TEST(PathText, OddBytesAreOneCharacterEach) {
  EXPECT_EQ(path_text("caf\xE9.jpg"), "caf\xEE\xBF\xA9.jpg");      // Latin-1: U+EFE9
  EXPECT_EQ(path_text("\x80\xBF"), "\xEE\xBE\x80\xEE\xBE\xBF");    // U+EF80, U+EFBF
  EXPECT_EQ(path_text("\xC3/\xA9"), "\xEE\xBF\x83/\xEE\xBE\xA9");  // no character across parts
  EXPECT_EQ(path_text("ä\xC3"), "ä\xEE\xBF\x83");
}

// A name that looks like another's text has another text.
TEST(PathText, DifferentNamesHaveDifferentTexts) {
  const std::string odd = "\xE9", text = path_text(odd);
  EXPECT_NE(path_text(text), text);
  EXPECT_EQ(path_from_text(path_text(text)), text);
}

TEST(PathText, EveryNameComesBack) {
  Random random(1);
  constexpr std::string_view kBytes = "a/\x7F\x80\xBE\xBF\xC3\xE9\xED\xEE\xEF\xF0\xF4\xFF";
  for (int i = 0; i < 20000; ++i) {
    std::string name;
    for (auto length = random.below(9); length > 0; --length) {
      name += kBytes[random.below(kBytes.size())];
    }
    const std::string text = path_text(name);
    EXPECT_TRUE(is_utf8(text));
    EXPECT_EQ(path_from_text(text), name);
  }
}

}  // namespace
}  // namespace hinny
