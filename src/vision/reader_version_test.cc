#include "vision/reader_version.h"

#include <gmock/gmock.h>
#include <libheif/heif.h>

namespace hinny {
namespace {

TEST(ReaderVersion, NamesTheLibrariesThatRun) {
  const std::string version = picture_reader_version();
  EXPECT_THAT(version, testing::MatchesRegex(
                           "[0-9]+ libheif [0-9.]+ libjpeg [0-9]+ libpng [0-9.]+ libwebp [0-9.]+ "
                           "libtiff [0-9.]+ lcms [0-9]+ libraw [0-9.]+-Release libjxl [0-9]+"));
  EXPECT_THAT(version, testing::HasSubstr(heif_get_version()));
}

}  // namespace
}  // namespace hinny
