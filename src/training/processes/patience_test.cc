#include "training/processes/patience.h"

#include <gmock/gmock.h>

#include <csignal>
#include <thread>

#include "base/error.h"
#include "base/interrupt.h"

namespace hinny {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(WaitNotes, SaysForWhomAndHowLongAfterAWhileAndNotAllTheTime) {
  testing::internal::CaptureStderr();
  WaitNotes notes("process 0 of 2", seconds(0), seconds(120));
  notes.look("process 1 at here");
  notes.look("process 1 at here");  // too early for another
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "process 0 of 2: waiting for process 1 at here: 0 s so far, 120 at most; Ctrl-C ends "
            "it\n");
  testing::internal::CaptureStderr();
  WaitNotes quiet("process 0 of 2", seconds(2), seconds(0));
  quiet.look("process 1");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(WorkPatiently, ThrowsWhatTheWorkThrows) {
  EXPECT_THROW(work_patiently("I", seconds(9), [](WaitedFor&) { throw InputError("no", "yes"); }),
               InputError);
  int done = 0;
  work_patiently("I", seconds(9), [&](WaitedFor&) { ++done; });
  EXPECT_EQ(done, 1);
}

// What is deaf, as a connect inside a library may be.
void wait_deafly(int signal) {
  watch_for_interrupt();
  work_patiently("process 0 of 2", seconds(60), [&](WaitedFor& waited_for) {
    waited_for.set("process 1");
    std::raise(signal);
    std::this_thread::sleep_for(seconds(30));
  });
}

TEST(WorkPatientlyDeathTest, OneCtrlCEndsIt) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EXIT(wait_deafly(SIGINT), testing::ExitedWithCode(130),
              "process 0 of 2: interrupted while waiting for process 1");
  EXPECT_EXIT(wait_deafly(SIGTERM), testing::ExitedWithCode(130), "interrupted");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(20));
}

}  // namespace
}  // namespace hinny
