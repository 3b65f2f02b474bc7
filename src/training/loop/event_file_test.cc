#include "training/loop/event_file.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(EventFile, ChecksumIsCastagnolis) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);  // the standard's check value
}

}  // namespace
}  // namespace hinny
