#include "base/cgroup.h"

#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "tests/machine_tree.h"

namespace hinny {
namespace {

TEST(Cgroup, QuotaOfVersionTwo) {
  MachineTree machine;
  machine.mount("/", "/sys/fs/cgroup", "cgroup2", "rw,nsdelegate");
  machine.member("0::/system.slice/job.service");
  EXPECT_FALSE(cpu_quota(machine.root()));  // nothing to read
  machine.file("sys/fs/cgroup/system.slice/job.service/cpu.max", "max 100000");
  EXPECT_FALSE(cpu_quota(machine.root()));
  machine.file("sys/fs/cgroup/system.slice/job.service/cpu.max", "150000 100000");
  EXPECT_DOUBLE_EQ(cpu_quota(machine.root()).value(), 1.5);
}

TEST(Cgroup, TheNarrowestOfTheGroupsAboveCounts) {
  MachineTree machine;
  machine.mount("/", "/sys/fs/cgroup", "cgroup2", "rw");
  machine.member("0::/a/b/c");
  machine.file("sys/fs/cgroup/a/cpu.max", "50000 100000");
  machine.file("sys/fs/cgroup/a/b/cpu.max", "max 100000");
  machine.file("sys/fs/cgroup/a/b/c/cpu.max", "400000 100000");
  machine.file("sys/fs/cgroup/a/other/cpu.max", "1000 100000");
  EXPECT_DOUBLE_EQ(cpu_quota(machine.root()).value(), 0.5);
}

TEST(Cgroup, QuotaOfVersionOne) {
  MachineTree machine;
  machine.mount("/", "/sys/fs/cgroup/unified", "cgroup2", "rw");
  machine.mount("/", "/sys/fs/cgroup/cpuset", "cgroup", "rw,cpuset");
  machine.mount("/", "/sys/fs/cgroup/cpu,cpuacct", "cgroup", "rw,cpu,cpuacct");
  machine.member("5:cpuset:/elsewhere");
  machine.member("4:cpu,cpuacct:/batch/job_7");
  machine.member("0::/");
  const std::string group = "sys/fs/cgroup/cpu,cpuacct/batch/";
  machine.file(group + "cpu.cfs_quota_us", "-1");
  machine.file(group + "cpu.cfs_period_us", "100000");
  machine.file(group + "job_7/cpu.cfs_quota_us", "-1");
  machine.file(group + "job_7/cpu.cfs_period_us", "100000");
  EXPECT_FALSE(cpu_quota(machine.root()));
  machine.file(group + "cpu.cfs_quota_us", "250000");
  EXPECT_DOUBLE_EQ(cpu_quota(machine.root()).value(), 2.5);
  machine.file(group + "job_7/cpu.cfs_quota_us", "25000");
  machine.file(group + "job_7/cpu.cfs_period_us", "50000");
  EXPECT_DOUBLE_EQ(cpu_quota(machine.root()).value(), 0.5);
}

// What Docker shows of version 1: the group's whole name, and its folder mounted as the top.
TEST(Cgroup, GroupsSeenFromWithinAContainer) {
  MachineTree machine;
  machine.mount("/docker/4f", "/sys/fs/cgroup/cpu", "cgroup", "rw,cpu");
  machine.member("3:cpu:/docker/4f");
  machine.file("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "300000");
  machine.file("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_DOUBLE_EQ(cpu_quota(machine.root()).value(), 3);
  MachineTree outside;  // a process that was moved out of its namespace's groups
  outside.mount("/", "/sys/fs/cg\\040roup\\040", "cgroup2", "rw");
  outside.member("0::/../other");
  outside.file("sys/fs/cg roup /cpu.max", "200000 100000");
  EXPECT_DOUBLE_EQ(cpu_quota(outside.root()).value(), 2);
}

// Where our group lies outside of what is mounted, what lies there is no group of ours.
TEST(Cgroup, OfGroupsThatAreNotMountedTheTopCounts) {
  MachineTree machine;
  machine.mount("/docker/4f", "/sys/fs/cgroup", "cgroup2", "rw");
  machine.member("0::/other");
  machine.file("sys/fs/cgroup/cpu.max", "200000 100000");
  machine.file("sys/other/cpu.max", "10000 100000");
  EXPECT_DOUBLE_EQ(cpu_quota(machine.root()).value(), 2);
}

TEST(Cgroup, WhatIsNoQuotaIsNone) {
  for (const char* text : {"", "max", "max max", "0 100000", "100000 0", "-1 100000", "x y", "1"}) {
    MachineTree machine;
    machine.top_group(text);
    EXPECT_FALSE(cpu_quota(machine.root())) << text;
  }
  MachineTree odd;
  odd.member("no colons");
  odd.member(":");
  odd.member("0::/");
  write_file(odd.root() / "proc/self/mountinfo",
             "1 2 -\n- - -\n\n1 2 3 4 5 - cgroup2\n- cgroup2 x rw\n");
  EXPECT_FALSE(cpu_quota(odd.root()));
  EXPECT_FALSE(cpu_quota("/nowhere"));
}

TEST(Cgroup, MemoryOfBothVersions) {
  MachineTree two;
  two.mount("/", "/sys/fs/cgroup", "cgroup2", "rw");
  two.member("0::/a/b");
  two.file("sys/fs/cgroup/a/memory.max", "1073741824");
  two.file("sys/fs/cgroup/a/b/memory.max", "max");
  EXPECT_EQ(memory_limit(two.root()).value(), 1073741824U);
  MachineTree one;
  one.mount("/", "/sys/fs/cgroup/memory", "cgroup", "rw,memory");
  one.member("4:memory:/x");
  one.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");  // none
  EXPECT_FALSE(memory_limit(one.root()));
  one.file("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "2097152");
  EXPECT_EQ(memory_limit(one.root()).value(), 2097152U);
}

}  // namespace
}  // namespace hinny
