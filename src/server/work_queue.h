// A bounded queue of work and the threads that do it.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace hinny {

class WorkQueue {
 public:
  // Work must not throw.
  using Work = std::function<void()>;

  // Throws Failure when the system refuses a thread.
  WorkQueue(int workers, std::size_t most_waiting);
  // Does what is queued, then ends.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // False when too much waits already. Urgent work is always taken, and goes first.
  bool push(Work work, bool urgent);
  std::size_t waiting() const;

 private:
  void run();
  void stop();
  std::size_t most_waiting_;
  mutable std::mutex lock_;
  std::condition_variable wake_;
  std::deque<Work> work_;
  bool stopping_ = false;
  std::vector<std::jthread> threads_;
};

}  // namespace hinny
