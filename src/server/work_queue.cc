#include "server/work_queue.h"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "base/error.h"

namespace hinny {

WorkQueue::WorkQueue(int workers, std::size_t most_waiting) : most_waiting_(most_waiting) {
  try {
    for (int i = 0; i < workers; ++i) threads_.emplace_back([this] { run(); });
  } catch (const std::system_error& error) {
    stop();  // or those that there are would be waited for, for ever
    throw Failure(
        fmt::format("cannot start {} threads, only {}: {} (fewer by --threads, or a higher "
                    "limit: ulimit -u, TasksMax)",
                    workers, threads_.size(), error.what()));
  }
}

WorkQueue::~WorkQueue() { stop(); }

void WorkQueue::stop() {
  {
    const std::lock_guard guard(lock_);
    stopping_ = true;
  }
  wake_.notify_all();
}

bool WorkQueue::push(Work work, bool urgent) {
  {
    const std::lock_guard guard(lock_);
    if (!urgent && work_.size() >= most_waiting_) return false;
    if (urgent) {
      work_.push_front(std::move(work));
    } else {
      work_.push_back(std::move(work));
    }
  }
  wake_.notify_one();
  return true;
}

std::size_t WorkQueue::waiting() const {
  const std::lock_guard guard(lock_);
  return work_.size();
}

void WorkQueue::run() {
  std::unique_lock guard(lock_);
  while (true) {
    wake_.wait(guard, [this] { return stopping_ || !work_.empty(); });
    if (work_.empty()) return;
    const Work work = std::move(work_.front());
    work_.pop_front();
    guard.unlock();
    work();
    guard.lock();
  }
}

}  // namespace hinny
