// The threads behind parallel_blocks. Others call that (base/threads.h).
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace hinny {

// Workers start when work wants them and stay until the process ends; idle, they sleep. Safe to
// use from several threads, in destructors that run at exit, and in a child after fork().
class ThreadPool {
 public:
  using Use = std::function<void(std::size_t, std::size_t)>;

  // The pool of this process, never destroyed: a worker must not outlive it.
  static ThreadPool& instance();

  // Cuts [0, size) into `blocks` contiguous blocks, 1 <= blocks <= size, runs use(begin, end) for
  // each and waits. The first exception is rethrown when all blocks have run. The caller works
  // too, and never waits for a worker to be free: it runs what no worker has taken.
  void run(std::size_t size, std::size_t blocks, const Use& use);

  // True while this thread runs a block.
  static bool in_block();

 private:
  struct Job {
    const Use& use;
    std::size_t size, blocks;
    std::size_t next = 0;                 // the first block that nobody has taken
    std::atomic<std::size_t> unfinished;  // blocks
    std::exception_ptr problem;
  };

  ThreadPool() = default;
  void have_workers(std::size_t count);
  [[noreturn]] void work();
  void run_next_block(Job& job, std::unique_lock<std::mutex>& held);

  std::mutex lock_;
  std::condition_variable posted_, finished_;
  std::vector<Job*> open_;                 // jobs with blocks to take, oldest first
  std::atomic<bool> any_open_{false};      // open_ is not empty; to be looked at without the lock
  std::size_t workers_ = 0, looking_ = 0;  // `looking_` workers are awake without work
};

}  // namespace hinny
