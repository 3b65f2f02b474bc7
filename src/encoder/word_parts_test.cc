#include "encoder/word_parts.h"

#include <gtest/gtest.h>

#include <string>

namespace hinny {
namespace {

Vocabulary vocabulary() {
  Vocabulary words;
  std::int64_t count = 100;
  for (const char* word : {"snowboard", "snowboarder", "snow", "board", "dog", "dogs", "running",
                           "horse", "小狗", "狗", "猫", "海滩", "seashore", "a"}) {
    words.add(word, count--);
  }
  return words;
}

std::string first(const char* word) {
  const Vocabulary words = vocabulary();
  const auto alike = WordParts(words).alike(word);
  return alike.empty() ? "" : words.word(alike.front().id);
}

TEST(WordParts, CompoundsInflectionsAndSlipsFindTheirWords) {
  EXPECT_EQ(first("snowboarders"), "snowboarder");
  EXPECT_EQ(first("snowbord"), "snowboard");
  EXPECT_EQ(first("horses"), "horse");
  EXPECT_EQ(first("seashores"), "seashore");
  EXPECT_EQ(first("大狗"), "狗");
  EXPECT_EQ(first("黑猫"), "猫");
}

TEST(WordParts, WhatIsLikeNothingFindsNothing) {
  for (const char* word : {"", "x", "quixotic", "zzzz", "鱼"}) EXPECT_EQ(first(word), "") << word;
  EXPECT_TRUE(WordParts(Vocabulary()).alike("dog").empty());
}

TEST(WordParts, SharesSumToOneAndFall) {
  const auto alike = WordParts(vocabulary()).alike("snowboarding");
  ASSERT_GE(alike.size(), 2U);
  ASSERT_LE(alike.size(), WordParts::kMost);
  float sum = 0;
  for (std::size_t i = 0; i < alike.size(); ++i) {
    sum += alike[i].share;
    if (i > 0) {
      EXPECT_LE(alike[i].share, alike[i - 1].share);
    }
  }
  EXPECT_NEAR(sum, 1, 1e-5);
}

// However long, whatever bytes.
TEST(WordParts, AnyWordIsReadInBoundedTime) {
  const WordParts parts(vocabulary());
  EXPECT_TRUE(parts.alike(std::string(1'000'000, 'q')).empty());
  std::string bytes;
  for (int i = 0; i < 256; ++i) bytes += static_cast<char>(i);
  for (std::size_t i = 0; i + 4 < bytes.size(); ++i) parts.alike(bytes.substr(i, 4));
}

}  // namespace
}  // namespace hinny
