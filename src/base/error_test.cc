#include "base/error.h"

#include <gtest/gtest.h>

#include <array>

namespace hinny {
namespace {

TEST(InputError, NamesFileLineAndWhatWasExpected) {
  EXPECT_STREQ(InputError("a.jsonl", 7, "no key 'image'", "an object").what(),
               "a.jsonl:7: no key 'image' (expected an object)");
  EXPECT_STREQ(InputError("a.npy", "truncated", "24 bytes").what(),
               "a.npy: truncated (expected 24 bytes)");
}

TEST(DidYouMean, FindsTheNearestNameOrSaysNothing) {
  const std::array<std::string, 2> names = {"margin", "hardest"};
  EXPECT_EQ(did_you_mean("magrin", names), " (did you mean 'margin'?)");
  EXPECT_EQ(did_you_mean("zzzzzzzz", names), "");
  // Half of what was given may differ; of two that are equally near the first is named.
  const std::array<std::string, 3> letters = {"abxy", "abcx", "abcy"};
  EXPECT_EQ(did_you_mean("abcd", letters), " (did you mean 'abcx'?)");
  EXPECT_EQ(did_you_mean("zycd", letters), "");
  EXPECT_EQ(did_you_mean("zbxd", letters), " (did you mean 'abxy'?)");
}

TEST(EditDistance, CountsWhatIsPutInTakenOutAndReplaced) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("", "ab"), 2U);
  EXPECT_EQ(edit_distance("ab", ""), 2U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("abc", "abd"), 1U);
  EXPECT_EQ(edit_distance("abc", "xbc"), 1U);
  EXPECT_EQ(edit_distance("bc", "abc"), 1U);
}

}  // namespace
}  // namespace hinny
