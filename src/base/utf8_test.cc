#include "base/utf8.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(Utf8, RefusesOverlongSurrogateAndTruncatedForms) {
  EXPECT_TRUE(is_utf8("a\u00e9\u4e2d\U0001F600"));
  for (const char* bad : {"\xC0\xAF", "\xED\xA0\x80", "\xE4\xB8", "\xF5\x80\x80\x80", "\x80"}) {
    EXPECT_FALSE(is_utf8(bad)) << bad;
  }
}

}  // namespace
}  // namespace hinny
