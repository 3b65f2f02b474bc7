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
