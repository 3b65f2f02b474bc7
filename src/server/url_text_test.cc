#include "server/url_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace hinny {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

TEST(UrlText, DecodesWhatIsEscapedAndKeepsTheRest) {
  EXPECT_EQ(url_decoded("/%68ealth+%C3%a9"), "/health+é");
  EXPECT_EQ(url_decoded("%00%ff"), std::string("\0\xff", 2));
  EXPECT_EQ(url_decoded("100%"), "100%");
  for (const char* broken : {"%", "%4", "%%", "%4g", "%-1", "%+1", "% 1", "%0x41", "%u0041"}) {
    EXPECT_EQ(url_decoded(broken), broken);
  }
  EXPECT_EQ(url_decoded("%2541"), "%41");  // once
}

TEST(UrlText, FieldsKeepTheirOrderAndComeAgain) {
  EXPECT_THAT(url_fields("q=a+dog&k=3&q=a+dog"),
              ElementsAre(Pair("q", "a dog"), Pair("k", "3"), Pair("q", "a dog")));
  EXPECT_THAT(url_fields("also=de%3Dein+Hund%26b=c=d"),
              ElementsAre(Pair("also", "de=ein Hund&b=c=d")));
  EXPECT_THAT(url_fields("a&b=&=c&&%3d"), ElementsAre(Pair("a", ""), Pair("b", ""), Pair("=", "")));
  EXPECT_THAT(url_fields(""), IsEmpty());
  EXPECT_THAT(url_fields("&"), IsEmpty());
}

TEST(UrlText, EncodesSoThatDecodingGivesItBack) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  EXPECT_EQ(url_decoded(url_encoded(all)), all);
  EXPECT_EQ(url_encoded("a/b c.jpg"), "a%2Fb%20c.jpg");
}

}  // namespace
}  // namespace hinny
