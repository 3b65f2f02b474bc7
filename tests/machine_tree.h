// A small /proc and /sys, as a process in a control group finds them.
#pragma once

#include <fmt/format.h>

#include <filesystem>
#include <string>

#include "base/atomic_file.h"
#include "tests/scratch.h"

namespace hinny {

class MachineTree {
 public:
  // A hierarchy mounted at `point`; `group` is its top there.
  void mount(const std::string& group, const std::string& point, const std::string& type,
             const std::string& options) {
    mounts_ += fmt::format("31 23 0:28 {} {} rw,relatime shared:9 - {} {} {}\n", group, point, type,
                           type, options);
    file("proc/self/mountinfo", mounts_);
  }
  // A line of /proc/self/cgroup.
  void member(const std::string& line) {
    members_ += line + "\n";
    file("proc/self/cgroup", members_);
  }
  void file(const std::string& path, const std::string& content) {
    std::filesystem::create_directories((root_ / path).parent_path());
    write_file(root_ / path, content);
  }
  // A process in the top group of version 2, and what that says of its quota.
  void top_group(const std::string& cpu_max) {
    mount("/", "/sys/fs/cgroup", "cgroup2", "rw");
    member("0::/");
    file("sys/fs/cgroup/cpu.max", cpu_max);
  }
  const std::filesystem::path& root() const { return root_; }

 private:
  Scratch root_;
  std::string mounts_ = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n", members_;
};

}  // namespace hinny
