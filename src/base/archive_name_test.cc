#include "base/archive_name.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(ArchiveName, EndingsOfThreeKinds) {
  for (const char* name : {"a.b.tar.gz", "a.b.tgz", "a.b.tar.zst"}) {
    EXPECT_TRUE(is_archive_name(std::filesystem::path("models") / name));
    EXPECT_EQ(name_without_archive_ending(std::filesystem::path("models") / name), "a.b");
  }
}

TEST(ArchiveName, OthersKeepTheirDots) {
  for (const char* name : {"clip-2.1", "a.zip", "tgz", "a.tar"}) {
    EXPECT_FALSE(is_archive_name(name));
    EXPECT_EQ(name_without_archive_ending(name), name);
  }
}

}  // namespace
}  // namespace hinny
