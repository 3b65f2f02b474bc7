#include "base/phases.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace hinny {
namespace {

using std::chrono::milliseconds;

double seconds_in(const std::string& name) {
  for (const PhaseShare& entry : phase_shares()) {
    if (entry.name == name) return entry.seconds;
  }
  return 0;
}

TEST(Phases, AnInnerPhaseTakesItsTimeFromTheOuter) {
  count_phases();
  {
    const InPhase outer(Phase::layers);
    std::this_thread::sleep_for(milliseconds(5));
    {
      const InPhase inner(Phase::products);
      std::this_thread::sleep_for(milliseconds(20));
    }
    // Sleeps may last longer than asked, never shorter.
    EXPECT_GE(seconds_in("matrix products"), 0.020);
    EXPECT_GE(seconds_in("layers and loss"), 0.005);
  }
  const double products = seconds_in("matrix products");
  std::this_thread::sleep_for(milliseconds(2));
  EXPECT_EQ(seconds_in("matrix products"), products) << "counted outside its scope";
  EXPECT_GE(seconds_in("other"), 0.002);
  double all = 0;
  for (const PhaseShare& entry : phase_shares()) all += entry.share;
  EXPECT_NEAR(all, 1, 1e-9);
}

TEST(Phases, OtherThreadsAreNotCounted) {
  count_phases();
  std::thread([] {
    const InPhase phase(Phase::gates);
    std::this_thread::sleep_for(milliseconds(2));
  }).join();
  EXPECT_EQ(seconds_in("gates"), 0);
}

}  // namespace
}  // namespace hinny
