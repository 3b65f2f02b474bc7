#include "base/thread_choice.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>

#include "base/cgroup.h"

namespace hinny {
namespace {

constexpr int kMostThreads = 1024;

std::optional<int> wish(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? std::nullopt : read_thread_count(value);
}

int all_cores() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

// Those that the process may run on: taskset, cpusets.
int usable_cores() {
  for (int most = CPU_SETSIZE; most <= 1 << 20; most *= 2) {  // the kernel may know of more CPUs
    const std::unique_ptr<cpu_set_t, decltype([](cpu_set_t* set) { CPU_FREE(set); })> set(
        CPU_ALLOC(static_cast<std::size_t>(most)));
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(most));
    if (set && ::sched_getaffinity(0, size, set.get()) == 0) {
      return std::max(1, CPU_COUNT_S(size, set.get()));
    }
  }
  return all_cores();
}

}  // namespace

std::optional<int> read_thread_count(std::string_view text) {
  text = text.substr(0, text.find(','));
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  int count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (problem != std::errc() || end != text.data() + text.size()) return {};
  return count >= 1 && count <= kMostThreads ? std::optional(count) : std::nullopt;
}

ThreadChoice thread_choice(int processes, const std::filesystem::path& root) {
  if (const auto own = wish("HINNY_THREADS")) return {*own, "HINNY_THREADS"};
  const int usable = usable_cores();
  ThreadChoice choice = {usable,
                         usable < all_cores() ? "the cores that it may run on" : "every core"};
  if (const auto quota = cpu_quota(root); quota && std::ceil(*quota) < choice.count) {
    choice = {std::max(1, static_cast<int>(std::ceil(*quota))),
              fmt::format("CPU quota of the cgroup, {:.3g} CPU{}", *quota, *quota == 1 ? "" : "s")};
  }
  if (processes > 1) {
    choice = {std::max(1, choice.count / processes),
              fmt::format("{}, shared by {} processes", choice.why, processes)};
  }
  if (const auto openmp = wish("OMP_NUM_THREADS"); openmp && *openmp < choice.count) {
    choice = {*openmp, "OMP_NUM_THREADS"};
  }
  return choice;
}

}  // namespace hinny
