// How many threads this process starts with, and what decided that.
#pragma once

#include <filesystem>
#include <string>

namespace hinny {

struct ThreadChoice {
  int count = 1;
  std::string why;  // "the CPU quota of its control group, 1.5 CPUs"
};

// HINNY_THREADS, where it is a number from 1 to 1024. Else the least of the cores that the process
// may run on, its control groups' CPU quota (rounded up), both divided by `processes` that share
// them, and OMP_NUM_THREADS (the first of a list). At least 1. `root`: as in base/cgroup.h.
ThreadChoice thread_choice(int processes = 1, const std::filesystem::path& root = "/");

}  // namespace hinny
