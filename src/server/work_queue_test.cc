#include "server/work_queue.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <latch>
#include <thread>

#include "base/error.h"

namespace hinny {
namespace {

TEST(WorkQueue, DoesWhatIsQueuedBeforeItEnds) {
  std::atomic<int> done = 0;
  {
    WorkQueue queue(3, 100);
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(queue.push([&] { ++done; }, i % 2 == 0));
  }
  EXPECT_EQ(done, 100);
}

TEST(WorkQueue, HasAsManyThreadsAsItIsTold) {
  std::latch begun(2), end(1);
  std::atomic<int> done = 0;
  {
    WorkQueue queue(2, 1);
    for (int i = 0; i < 2; ++i) {
      const auto wait = [&] {
        begun.count_down();
        end.wait();
      };
      EXPECT_TRUE(queue.push(wait, true));
    }
    begun.wait();
    EXPECT_TRUE(queue.push([&] { ++done; }, false));
    EXPECT_FALSE(queue.push([&] { ++done; }, false)) << "one waits already";
    EXPECT_TRUE(queue.push([&] { ++done; }, true));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(queue.waiting(), 2U);
    end.count_down();
  }
  EXPECT_EQ(done, 2);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Memory for the stacks of a few threads more.
void leave_room_for_few_threads() {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) + (100U << 20U);
  ::setrlimit(RLIMIT_AS, &limit);
}

// qemu-user takes any and keeps none.
bool keeps_memory_limits() {
  rlimit before{}, now{};
  ::getrlimit(RLIMIT_AS, &before);
  rlimit wished = before;
  wished.rlim_cur = std::min<rlim_t>(before.rlim_max, rlim_t{1} << 46U);
  ::setrlimit(RLIMIT_AS, &wished);
  ::getrlimit(RLIMIT_AS, &now);
  ::setrlimit(RLIMIT_AS, &before);
  return now.rlim_cur == wished.rlim_cur;
}

TEST(WorkQueue, ThreadsThatTheSystemRefusesAreAFailureAndNothingHangs) {
  if (!keeps_memory_limits()) GTEST_SKIP() << "limits of memory are ignored here, as by qemu-user";
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        ::alarm(20);
        leave_room_for_few_threads();
        try {
          const WorkQueue queue(1000, 1);
        } catch (const Failure& failure) {
          std::fputs(failure.what(), stderr);
          std::_Exit(3);
        }
        std::_Exit(0);
      },
      testing::ExitedWithCode(3), "cannot start 1000 threads, only .*TasksMax");
}
#endif

}  // namespace
}  // namespace hinny
