#include "server/listener.h"

#include <gtest/gtest.h>

namespace hinny {
namespace {

TEST(Listener, KnowsThisMachine) {
  for (const char* host : {"127.0.0.1", "127.8.9.10", "localhost", "LOCALHOST", "localhost.", "::1",
                           "0::1", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_loopback(host));
  for (const char* host : {"0.0.0.0", "::", "192.168.0.1", "127.0.0.1.example", "", "1270.0.0.1"}) {
    EXPECT_FALSE(is_loopback(host)) << host;
  }
}

}  // namespace
}  // namespace hinny
