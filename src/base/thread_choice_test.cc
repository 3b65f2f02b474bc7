#include "base/thread_choice.h"

#include <gmock/gmock.h>
#include <sched.h>
#include <stdlib.h>

#include <map>
#include <string>
#include <thread>

#include "tests/machine_tree.h"

namespace hinny {
namespace {

using testing::HasSubstr;

class ThreadChoiceTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"HINNY_THREADS", "OMP_NUM_THREADS"}) {
      if (const char* value = ::getenv(name)) before[name] = value;
      ::unsetenv(name);
    }
    cores = thread_choice(1, empty.root()).count;
  }
  void TearDown() override {
    for (const char* name : {"HINNY_THREADS", "OMP_NUM_THREADS"}) ::unsetenv(name);
    for (const auto& [name, value] : before) ::setenv(name.c_str(), value.c_str(), 1);
  }

  static int with(const char* name, const char* value) {
    ::setenv(name, value, 1);
    const int count = thread_choice().count;
    ::unsetenv(name);
    return count;
  }

  std::map<std::string, std::string> before;
  MachineTree empty;
  int cores = 0;
};

TEST_F(ThreadChoiceTest, TheQuotaIsRoundedUp) {
  for (const auto& [quota, threads] :
       {std::pair("10000 100000", 1), std::pair("100000 100000", 1), std::pair("150000 100000", 2),
        std::pair("99900000 100000", 999)}) {
    MachineTree machine;
    machine.top_group(quota);
    EXPECT_EQ(thread_choice(1, machine.root()).count, std::min(threads, cores)) << quota;
  }
}

TEST_F(ThreadChoiceTest, SaysWhatDecided) {
  MachineTree machine;
  machine.mount("/", "/sys/fs/cgroup/cpu", "cgroup", "rw,cpu");
  machine.member("1:cpu:/");
  machine.file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "50000");
  machine.file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  const ThreadChoice choice = thread_choice(1, machine.root());
  EXPECT_EQ(choice.count, 1);
  EXPECT_THAT(choice.why, HasSubstr(cores > 1 ? "CPU quota of the cgroup, 0.5 CPUs" : "core"));
  ::setenv("HINNY_THREADS", "3", 1);
  EXPECT_EQ(thread_choice(1, machine.root()).count, 3);
  EXPECT_EQ(thread_choice(1, machine.root()).why, "HINNY_THREADS");
}

TEST_F(ThreadChoiceTest, VariablesCount) {
  EXPECT_EQ(with("HINNY_THREADS", "7"), 7);
  EXPECT_EQ(with("OMP_NUM_THREADS", "1"), 1);
  EXPECT_EQ(with("OMP_NUM_THREADS", "1,4"), 1);
  EXPECT_EQ(with("OMP_NUM_THREADS", " 1 , 4"), 1);
  const int every = thread_choice().count;
  EXPECT_EQ(with("OMP_NUM_THREADS", "1000"), every);  // a limit, as all others are
  for (const char* odd : {"", "0", "-1", "many", "4x", "1.5", "99999999999"}) {
    EXPECT_EQ(with("HINNY_THREADS", odd), every) << odd;
    EXPECT_EQ(with("OMP_NUM_THREADS", odd), every) << odd;
  }
}

TEST_F(ThreadChoiceTest, ProcessesShareTheCoresAndNotWhatIsSaidForEach) {
  EXPECT_EQ(thread_choice(cores, empty.root()).count, 1);
  EXPECT_EQ(thread_choice(100000, empty.root()).count, 1);
  EXPECT_EQ(thread_choice(2, empty.root()).count, std::max(1, cores / 2));
  ::setenv("OMP_NUM_THREADS", "1", 1);
  EXPECT_EQ(thread_choice(2, empty.root()).count, 1);
  ::setenv("HINNY_THREADS", "5", 1);
  EXPECT_EQ(thread_choice(2, empty.root()).count, 5);
}

TEST_F(ThreadChoiceTest, FollowsTheCoresThatTheProcessMayRunOn) {
  std::thread([&] {  // of this thread alone
    cpu_set_t all, one;
    ASSERT_EQ(::sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++cpu) {
      if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &one);
    }
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    EXPECT_EQ(thread_choice(1, empty.root()).count, 1);
  })
      .join();
}

}  // namespace
}  // namespace hinny
