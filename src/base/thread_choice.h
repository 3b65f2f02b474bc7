// How many threads this process starts with, and what decided that.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace hinny {

struct ThreadChoice {
  int count = 1;
  std::string why;  // "CPU quota of the cgroup, 1.5 CPUs"
};

// A number from 1 to 1024; of OpenMP's lists, "4,2", the first.
std::optional<int> read_thread_count(std::string_view text);

// HINNY_THREADS, where it is such a number. Else the least of the cores that the process
// may run on, its control groups' CPU quota (rounded up), both divided by `processes` that share
// them, and OMP_NUM_THREADS. At least 1. `root`: as in base/cgroup.h.
ThreadChoice thread_choice(int processes = 1, const std::filesystem::path& root = "/");

}  // namespace hinny
