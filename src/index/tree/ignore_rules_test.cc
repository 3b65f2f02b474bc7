#include "index/tree/ignore_rules.h"

#include <gtest/gtest.h>

#include <string>

namespace hinny {
namespace {

// What the rules of one file say of a path: "out", "in", or "" where none is about it.
std::string says(std::string_view file, std::string_view path, const std::string& below = "") {
  const bool folder = path.ends_with('/');
  if (folder) path.remove_suffix(1);
  const std::vector<IgnoreRule> rules = ignore_rules(file, below);
  const IgnoreRule* rule = deciding(rules, path, folder);
  return rule == nullptr ? "" : rule->leaves_out ? "out" : "in";
}

// As `git check-ignore` says it.
TEST(IgnoreRules, AreThoseOfGitignore) {
  EXPECT_EQ(says("b.jpg", "b.jpg"), "out");
  EXPECT_EQ(says("b.jpg", "a/b.jpg"), "out");
  EXPECT_EQ(says("b.jpg", "a/bb.jpg"), "");
  EXPECT_EQ(says("/b.jpg", "b.jpg"), "out");
  EXPECT_EQ(says("/b.jpg", "a/b.jpg"), "");
  EXPECT_EQ(says("a/b.jpg", "a/b.jpg"), "out");
  EXPECT_EQ(says("a/b.jpg", "x/a/b.jpg"), "");
  EXPECT_EQ(says("raw/", "x/raw/"), "out");
  EXPECT_EQ(says("raw/", "x/raw"), "");
  EXPECT_EQ(says("x/raw/", "x/raw/"), "out");
  EXPECT_EQ(says("x/raw/", "y/x/raw/"), "");
  EXPECT_EQ(says("*.png", "a/b.png"), "out");
  EXPECT_EQ(says("*.png", "a/b.PNG"), "");
  EXPECT_EQ(says("a/*.png", "a/b.png"), "out");
  EXPECT_EQ(says("a/*.png", "a/c/b.png"), "");
  EXPECT_EQ(says("a/**/b.png", "a/b.png"), "out");
  EXPECT_EQ(says("a/**/b.png", "a/c/d/b.png"), "out");
  EXPECT_EQ(says("a/**/b.png", "a/cb.png"), "");
  EXPECT_EQ(says("**/b.png", "b.png"), "out");
  EXPECT_EQ(says("**/c/b.png", "a/c/b.png"), "out");
  EXPECT_EQ(says("**/c/b.png", "a/xc/b.png"), "");
  EXPECT_EQ(says("a/**", "a/c/d"), "out");
  EXPECT_EQ(says("a/**", "a/"), "");
  EXPECT_EQ(says("**", "a"), "out");
  EXPECT_EQ(says("a**b", "axxb"), "out");
  EXPECT_EQ(says("a/x**b", "a/xx/b"), "");
  EXPECT_EQ(says("?.jpg", "a.jpg"), "out");
  EXPECT_EQ(says("a?b.jpg", "a/b.jpg"), "");
  EXPECT_EQ(says("[a-c]x[!0-9].jpg", "bxy.jpg"), "out");
  EXPECT_EQ(says("[a-c]x[!0-9].jpg", "bx1.jpg"), "");
  EXPECT_EQ(says("[]]x", "]x"), "out");
  EXPECT_EQ(says("[ax", "[ax"), "out");  // no end: as it stands
}

TEST(IgnoreRules, LinesAreReadAsGitReadsThem) {
  EXPECT_EQ(says("# a\n\n  \n*.jpg\n!keep.jpg\n", "x.jpg"), "out");
  EXPECT_EQ(says("*.jpg\n!keep.jpg\n", "keep.jpg"), "in");
  EXPECT_EQ(says("!keep.jpg\n*.jpg\n", "keep.jpg"), "out");
  EXPECT_EQ(says("\\#recycle/", "#recycle/"), "out");
  EXPECT_EQ(says("#recycle/", "#recycle/"), "");
  EXPECT_EQ(says("\\!x.jpg", "!x.jpg"), "out");
  EXPECT_EQ(says("\\*.jpg", "*.jpg"), "out");
  EXPECT_EQ(says("\\*.jpg", "a.jpg"), "");
  EXPECT_EQ(says("a.jpg   ", "a.jpg"), "out");
  EXPECT_EQ(says("a\\ ", "a "), "out");
  EXPECT_EQ(says("\xEF\xBB\xBF*.jpg\r\nraw/\r\n", "x.jpg"), "out");
  EXPECT_EQ(says("*.png\r\nraw/\r\n", "raw/"), "out");
  EXPECT_EQ(says("/", "a"), "");
  EXPECT_EQ(says("/b.jpg", "a/b.jpg", "a/"), "out");
  EXPECT_EQ(says("/b.jpg", "b.jpg", "a/"), "");
}

// Letters that look the same are the same.
TEST(IgnoreRules, ComposedAndDecomposedLettersAreTheSame) {
  EXPECT_EQ(says("M\u00fcll/", "Mu\u0308ll/"), "out");
  EXPECT_EQ(says("Mu\u0308ll*", "M\u00fcll 2"), "out");
  EXPECT_EQ(says("M\u00fcll/", "Mull/"), "");
}

// What took other matchers hours.
TEST(IgnoreRules, LongPatternsEnd) {
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "*a";
  EXPECT_FALSE(matches(stars + "b", std::string(2000, 'a')));
  std::string folders, path;
  for (int i = 0; i < 100; ++i) folders += "**/a/", path += "a/";
  EXPECT_FALSE(matches(folders + "b", path + path + "c"));
  EXPECT_TRUE(matches(folders + "c", path + path + "c"));
}

TEST(IgnoreRules, ProgramsLeavePreviewsAndWhatWasDeleted) {
  const auto left_out = [](std::string_view path) {
    const IgnoreRule* rule = deciding(usual_rules(), path, true);
    return rule != nullptr && rule->leaves_out;
  };
  for (const char* path :
       {"@eaDir", "x/@eaDir", "#recycle", "#snapshot", "@Recycle", "$RECYCLE.BIN",
        "System Volume Information", "lost+found", "x/__MACOSX", "Thumbs", "thumbs",
        "Fotos Previews.lrdata", "Mine.photoslibrary/resources/derivatives",
        "x/Mine.photolibrary/Thumbnails"}) {
    EXPECT_TRUE(left_out(path)) << path;
  }
  for (const char* path : {"eaDir", "recycle", "Recycled things", "Thumb", "Previews", "Thumbnails",
                           "resources/derivatives", "Mine.photoslibrary/originals",
                           "Mine.photoslibrary", "Mine.photolibrary/Masters"}) {
    EXPECT_FALSE(left_out(path)) << path;
  }
}

}  // namespace
}  // namespace hinny
