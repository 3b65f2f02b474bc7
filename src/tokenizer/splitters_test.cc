#include "tokenizer/splitters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace hinny {
namespace {

using testing::ElementsAre;

std::vector<std::string> split(const Step& step, const std::string& text, bool at_start = true) {
  std::vector<std::string> words{text};
  make_splitter(step, "t.json")(words, at_start);
  return words;
}

TEST(Splitters, Bert) {
  EXPECT_THAT(split({"bert", {}}, " it's  a-b\u3000«c»$"),
              ElementsAre("it", "'", "s", "a", "-", "b", "«", "c", "»", "$"));
}

TEST(Splitters, SpacesAndWords) {
  EXPECT_THAT(split({"spaces", {}}, " a,b\u00a0c "), ElementsAre("a,b", "c"));
  EXPECT_THAT(split({"words", {}}, "a_b, c!?"), ElementsAre("a_b", ",", "c", "!?"));
}

TEST(Splitters, ByteLetters) {
  EXPECT_THAT(split({"byte-letters", {"no", "yes"}}, "it's 12  é"),
              ElementsAre("it", "'s", "Ġ12", "Ġ", "ĠÃ©"));
  EXPECT_THAT(split({"byte-letters", {"yes", "no"}}, "a b"), ElementsAre("ĠaĠb"));
}

TEST(Splitters, Metaspace) {
  EXPECT_THAT(split({"metaspace", {"▁", "always", "yes"}}, "a  b"), ElementsAre("▁a", "▁", "▁b"));
  EXPECT_THAT(split({"metaspace", {"▁", "always", "no"}}, " a b"), ElementsAre("▁a▁b"));
  EXPECT_THAT(split({"metaspace", {"▁", "first", "yes"}}, "a", false), ElementsAre("a"));
  EXPECT_THAT(split({"metaspace", {"▁", "first", "yes"}}, "a", true), ElementsAre("▁a"));
  EXPECT_THAT(split({"metaspace", {"▁", "never", "yes"}}, "a b"), ElementsAre("a", "▁b"));
}

TEST(Splitters, DigitsAndPunctuation) {
  EXPECT_THAT(split({"digits", {"no"}}, "a12b3"), ElementsAre("a", "12", "b", "3"));
  EXPECT_THAT(split({"digits", {"yes"}}, "a12"), ElementsAre("a", "1", "2"));
  EXPECT_THAT(split({"punctuation", {"Isolated"}}, "a!?b"), ElementsAre("a", "!", "?", "b"));
}

TEST(Splitters, WhatBecomesOfAMatch) {
  const auto by = [](const char* behaviour) {
    return split({"text", {"-", behaviour, "no"}}, "a--b-c");
  };
  EXPECT_THAT(by("Removed"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(by("Isolated"), ElementsAre("a", "-", "-", "b", "-", "c"));
  EXPECT_THAT(by("Contiguous"), ElementsAre("a", "--", "b", "-", "c"));
  EXPECT_THAT(by("MergedWithPrevious"), ElementsAre("a-", "-", "b-", "c"));
  EXPECT_THAT(by("MergedWithNext"), ElementsAre("a", "-", "-b", "-c"));
  EXPECT_THAT(split({"pattern", {"[a-z]+", "Removed", "yes"}}, "ab1c"), ElementsAre("ab", "c"));
}

TEST(Splitters, UnknownOnesAreRefused) {
  EXPECT_THROW(make_splitter({"at-random", {}}, "t.json"), InputError);
  EXPECT_THROW(make_splitter({"text", {"-", "Doubled", "no"}}, "t.json"), InputError);
  EXPECT_THROW(make_splitter({"text", {"", "Removed", "no"}}, "t.json"), InputError);
}

}  // namespace
}  // namespace hinny
