#include "base/threads.h"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace hinny {
namespace {

int available() {
  if (const char* wish = std::getenv("HINNY_THREADS")) {
    const int count = std::atoi(wish);
    if (count >= 1) return count;
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int& chosen() {
  static int value = available();
  return value;
}

thread_local bool in_blocks = false;

}  // namespace

bool in_parallel_blocks() { return in_blocks; }
int thread_count() { return chosen(); }
void set_thread_count(int count) { chosen() = std::max(1, count); }

void parallel_blocks(std::size_t size, const std::function<void(std::size_t, std::size_t)>& use) {
  const std::size_t workers =
      in_blocks ? 1 : std::min(static_cast<std::size_t>(thread_count()), size);
  if (workers <= 1) {
    if (size > 0) use(0, size);
    return;
  }
  std::exception_ptr problem;
  std::mutex lock;
  const auto run = [&](std::size_t worker) {
    in_blocks = true;
    try {
      use(size * worker / workers, size * (worker + 1) / workers);
    } catch (...) {
      const std::lock_guard guard(lock);
      if (!problem) problem = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (std::size_t worker = 1; worker < workers; ++worker) threads.emplace_back(run, worker);
    run(0);
    in_blocks = false;
  }
  if (problem) std::rethrow_exception(problem);
}

}  // namespace hinny
