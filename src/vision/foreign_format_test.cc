#include "vision/foreign_format.h"

#include <gmock/gmock.h>

#include <string>

#include "base/error.h"
#include "vision/picture.h"

namespace hinny {
namespace {

std::string refusal_of(const std::string& bytes) try {
  decode_picture(std::as_bytes(std::span(bytes)));
  return "read";
} catch (const InputError& error) {
  return error.what();
}

// Whatever its name says: what is sound and not read is unsupported, and said to be what it is.
TEST(ForeignFormat, IsUnsupportedAndNamed) {
  const std::string rest(300, 'x');
  EXPECT_THAT(refusal_of("8BPS" + rest), testing::HasSubstr("unsupported: a Photoshop picture"));
  EXPECT_THAT(refusal_of("BM" + rest), testing::HasSubstr("unsupported: a BMP picture"));
  EXPECT_THAT(refusal_of(std::string("\0\0\0\x18"
                                     "ftypmp42",
                                     12) +
                         rest),
              testing::HasSubstr("unsupported: a film"));
  EXPECT_THAT(refusal_of("%PDF-1.4" + rest), testing::HasSubstr("unsupported: a PDF document"));
  EXPECT_THAT(refusal_of(rest), testing::HasSubstr("not a picture"));
  EXPECT_THAT(refusal_of("B"), testing::HasSubstr("not a picture"));
}

}  // namespace
}  // namespace hinny
