#include "data/id_spelling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(IdSpelling, EachDifferenceIsNamed) {
  EXPECT_THAT(spelling_differences("42", "42.jpg"), ElementsAre("the ending"));
  EXPECT_THAT(spelling_differences("42", "000000000042"), ElementsAre("zeros in front"));
  EXPECT_THAT(spelling_differences("000042.jpg", "42"),
              ElementsAre("the ending", "zeros in front"));
  EXPECT_THAT(spelling_differences("COCO_val2014_000000391895.jpg", "391895"),
              ElementsAre("the ending", "what stands around the number", "zeros in front"));
  EXPECT_THAT(spelling_differences("1000268201_693b08cb0e", "1000268201"),
              ElementsAre("what stands around the number"));
  EXPECT_THAT(spelling_differences("val2014/a.jpg", "a.jpg"), ElementsAre("the folder"));
  EXPECT_THAT(spelling_differences("val2014\\a.jpg", "a.jpg"), ElementsAre("the folder"));
  EXPECT_THAT(spelling_differences("a.jpg#0", "a.jpg"), ElementsAre("the part after '#'"));
  EXPECT_THAT(spelling_differences("Beach", "beach"), ElementsAre("capitals"));
  EXPECT_THAT(spelling_differences("caf\u00e9", "cafe\u0301"),
              ElementsAre("Unicode normalisation"));
  for (const char* same : {"a\u00a0b", "ab\uFEFF", "\u200Bab", "ab ", "a\u2028b"}) {
    EXPECT_THAT(spelling_differences("ab", same), ElementsAre("blanks or invisible characters"));
  }
}

TEST(IdSpelling, OtherIdsDifferInMoreThanSpelling) {
  EXPECT_THAT(spelling_differences("42", "42"), IsEmpty());
  EXPECT_THAT(spelling_differences("42", "43.jpg"), IsEmpty());
  EXPECT_THAT(spelling_differences("x42", "42"), IsEmpty());
  EXPECT_THAT(spelling_differences("\u200B", "\uFEFF"), IsEmpty());
}

TEST(IdSpelling, TheNearestIsSaid) {
  IdSpellings known;
  known.add("000042.jpg");
  known.add("b");
  EXPECT_EQ(known.near("42"), "'000042.jpg', which differs in the ending and zeros in front");
  EXPECT_EQ(known.near("b"), "");
  EXPECT_EQ(known.near("7"), "");
}

}  // namespace
}  // namespace hinny
