#include "base/interrupt.h"

#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>

#include "base/error.h"

namespace hinny {
namespace {

// In a process of its own, as the flag stays.
TEST(InterruptDeathTest, ASignalIsAFlagUntilTheSecondOne) {
  const auto interrupted_as_said = [] {
    watch_for_interrupt();
    if (interrupted()) return false;
    stop_if_interrupted();
    std::raise(SIGINT);
    {
      const InterruptLater later;
      if (interrupted()) return false;
      stop_if_interrupted();
    }
    try {
      stop_if_interrupted();
    } catch (const Interrupted&) {
      return interrupted();
    }
    return false;
  };
  EXPECT_EXIT(std::exit(interrupted_as_said() ? 7 : 1), testing::ExitedWithCode(7), "");
  EXPECT_EXIT(
      {
        watch_for_interrupt();
        std::raise(SIGTERM);
        std::raise(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace hinny
