#include "base/thread_pool.h"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>

namespace hinny {
namespace {

thread_local bool in_a_block = false;

// Loops follow each other closely: a moment awake saves going to sleep and being woken, which
// takes longer than many of them. Without std::this_thread::yield: on a busy machine that hands
// over the core for milliseconds, where a sleeper would be woken at once.
template <typename Condition>
void await_briefly(const Condition& condition) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::microseconds kPatience{20};
  const auto end = Clock::now() + kPatience;
  while (!condition() && Clock::now() < end) {
#if defined(__x86_64__)
    __builtin_ia32_pause();  // the core's other thread may use what this one does not
#endif
  }
}

constinit std::atomic<ThreadPool*> current = nullptr;

}  // namespace

ThreadPool& ThreadPool::instance() {
  static std::once_flag once;
  std::call_once(once, [] {
    // Of the threads only the one that forks lives on in the child, whose pool starts empty. The
    // parent's is left as it lies: its lock may be held.
    const auto renew = [] { current = new ThreadPool; };
    renew();
    ::pthread_atfork(nullptr, nullptr, renew);
  });
  return *current;
}

bool ThreadPool::in_block() { return in_a_block; }

void ThreadPool::run(std::size_t size, std::size_t blocks, const Use& use) {
  Job job{use, size, blocks, 0, blocks, nullptr};
  std::unique_lock held(lock_);
  have_workers(blocks - 1);
  open_.push_back(&job);
  any_open_ = true;
  const std::size_t sleepers = blocks - 1 - std::min(blocks - 1, looking_);
  held.unlock();
  for (std::size_t i = 0; i < sleepers; ++i) posted_.notify_one();

  held.lock();
  in_a_block = true;
  while (job.next < job.blocks) run_next_block(job, held);
  in_a_block = false;
  held.unlock();
  const auto finished = [&] { return job.unfinished == 0; };
  await_briefly(finished);
  held.lock();
  finished_.wait(held, finished);
  held.unlock();
  if (job.problem) std::rethrow_exception(job.problem);
}

// Under the lock. Where the system refuses another thread, there is one worker less.
void ThreadPool::have_workers(std::size_t count) {
  try {
    for (; workers_ < count; ++workers_) std::thread([this] { work(); }).detach();
  } catch (const std::system_error&) {
  }
}

void ThreadPool::work() {
  in_a_block = true;
  std::unique_lock held(lock_);
  while (true) {
    if (open_.empty()) {
      ++looking_;
      held.unlock();
      await_briefly([this] { return any_open_.load(); });
      held.lock();
      --looking_;
      posted_.wait(held, [this] { return !open_.empty(); });
    }
    run_next_block(*open_.front(), held);
  }
}

// Takes a block of `job`, which has one, and runs it with the lock released. The job may be gone
// when this returns on a worker.
void ThreadPool::run_next_block(Job& job, std::unique_lock<std::mutex>& held) {
  const std::size_t block = job.next++;
  if (job.next == job.blocks) {
    std::erase(open_, &job);
    any_open_ = !open_.empty();
  }
  held.unlock();
  std::exception_ptr problem;
  try {
    job.use(job.size * block / job.blocks, job.size * (block + 1) / job.blocks);
  } catch (...) {
    problem = std::current_exception();
  }
  held.lock();
  if (problem && !job.problem) job.problem = std::move(problem);
  if (--job.unfinished == 0) finished_.notify_all();
}

}  // namespace hinny
