#include "base/threads.h"

#include <algorithm>
#include <cstdlib>

#include "base/thread_choice.h"
#include "base/thread_pool.h"

namespace hinny {
namespace {

bool given = false;  // by set_thread_count

int& chosen() {
  static int value = thread_choice().count;
  return value;
}

}  // namespace

bool in_parallel_blocks() { return ThreadPool::in_block(); }
int thread_count() { return chosen(); }
void set_thread_count(int count) {
  chosen() = std::max(1, count);
  given = true;
}
void share_cores(int processes) {
  if (!given) chosen() = thread_choice(processes).count;
}

void let_openmp_sleep() {
  if (std::getenv("OMP_WAIT_POLICY") != nullptr) return;
  ::setenv("GOMP_SPINCOUNT", "1000", /*overwrite=*/0);  // rounds, some 30 us
}

void parallel_blocks(std::size_t size, const std::function<void(std::size_t, std::size_t)>& use) {
  const std::size_t blocks =
      in_parallel_blocks() ? 1 : std::min(static_cast<std::size_t>(thread_count()), size);
  if (blocks > 1) return ThreadPool::instance().run(size, blocks, use);
  if (size > 0) use(0, size);
}

}  // namespace hinny
